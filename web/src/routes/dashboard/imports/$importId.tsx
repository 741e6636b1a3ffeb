import { createFileRoute, redirect } from '@tanstack/react-router';
import { importPages } from '../../../features/imports/import-search.ts';
import { importQuery } from '../../../features/imports/queries.ts';

/** Address of an import for links that do not know its noun, such as those of jobs. */
export const Route = createFileRoute('/dashboard/imports/$importId')({
  staticData: { crumb: 'CSV import' },
  async loader({ context: { queryClient }, params: { importId } }) {
    const { noun } = await queryClient.fetchQuery(importQuery(importId));
    throw redirect({ to: importPages[noun], search: { import: importId }, replace: true });
  },
});
