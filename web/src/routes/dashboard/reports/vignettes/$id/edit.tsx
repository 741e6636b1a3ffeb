import { createFileRoute } from '@tanstack/react-router';
import { EditVignettePage } from '../../../../../features/vignettes/editor/editor-pages.tsx';
import { prefetch } from '../../../../../lib/api/prefetch.ts';
import { page, searchSchema } from '../../../../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/reports/vignettes/$id/edit')({
  staticData: {
    crumb: 'Edit vignette',
    section: { label: 'Vignettes', to: '/dashboard/reports/vignettes' },
  },
  // Earlier version whose content the form starts with.
  validateSearch: searchSchema({ version: page }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    prefetch(async () => {
      const { vignetteQuery } = await import('../../../../../features/vignettes/queries.ts');
      await queryClient.prefetchQuery(vignetteQuery(id));
    }),
  component: Edit,
});

function Edit() {
  const { id } = Route.useParams();
  const { version } = Route.useSearch();
  return <EditVignettePage key={`${id} ${version}`} id={id} version={version} />;
}
