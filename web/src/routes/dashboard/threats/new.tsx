import { createFileRoute } from '@tanstack/react-router';
import { ThreatForm } from '../../../features/threats/form/threat-form.tsx';

export const Route = createFileRoute('/dashboard/threats/new')({
  staticData: { crumb: 'New threat', section: 'Threats' },
  component: New,
});

function New() {
  return <ThreatForm />;
}
