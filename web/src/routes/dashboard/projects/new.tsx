import { createFileRoute } from '@tanstack/react-router';
import { ProjectForm } from '../../../features/projects/form/project-form.tsx';

export const Route = createFileRoute('/dashboard/projects/new')({
  staticData: { crumb: 'New project' },
  component: New,
});

function New() {
  return <ProjectForm />;
}
