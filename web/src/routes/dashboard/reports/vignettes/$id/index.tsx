import { createFileRoute } from '@tanstack/react-router';
import { LazyTimeline } from '../../../../../features/activity/lazy-timeline.tsx';
import { VignettePage } from '../../../../../features/vignettes/detail/vignette-page.tsx';
import { prefetch } from '../../../../../lib/api/prefetch.ts';
import { page, searchSchema } from '../../../../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/reports/vignettes/$id/')({
  staticData: {
    crumb: 'Vignette',
    section: { label: 'Vignettes', to: '/dashboard/reports/vignettes' },
  },
  validateSearch: searchSchema({ version: page }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    prefetch(async () => {
      const { vignetteQuery } = await import('../../../../../features/vignettes/queries.ts');
      await queryClient.prefetchQuery(vignetteQuery(id));
    }),
  component: Shown,
});

function Shown() {
  const { id } = Route.useParams();
  const { version } = Route.useSearch();
  return <VignettePage key={id} id={id} version={version} activity={<LazyTimeline of={{ nounId: id }} />} />;
}
