import { createFileRoute } from '@tanstack/react-router';
import { VulnerabilityForm } from '../../../features/vulnerabilities/form/vulnerability-form.tsx';

export const Route = createFileRoute('/dashboard/vulnerabilities/new')({
  staticData: { crumb: 'New vulnerability', section: 'Vulnerabilities' },
  component: New,
});

function New() {
  return <VulnerabilityForm />;
}
