import { createFileRoute, redirect } from '@tanstack/react-router';
import { projectsSource } from '../../../features/projects/list/projects-source.ts';

/** The dashboard is the list of projects (contract, Routes): this address leads there with its filters. */
export const Route = createFileRoute('/dashboard/projects/')({
  validateSearch: projectsSource.schema,
  beforeLoad({ search }) {
    throw redirect({ to: '/dashboard', search, replace: true });
  },
});
