import { createFileRoute } from '@tanstack/react-router';
import { LazyTimeline } from '../../../../features/activity/lazy-timeline.tsx';
import { AssetPage } from '../../../../features/assets/detail/asset-page.tsx';
import { scoreQuery } from '../../../../features/assets/score/score-query.ts';
import { assets } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/assets/$id/')({
  staticData: { crumb: 'Asset', section: { label: 'Assets', to: '/dashboard/assets' } },
  loader({ context: { queryClient }, params: { id } }) {
    void queryClient.prefetchQuery(detailQuery({ noun: 'assets', calls: assets }, id));
    void queryClient.prefetchQuery(scoreQuery(id));
  },
  component: Asset,
});

function Asset() {
  const { id } = Route.useParams();
  return <AssetPage key={id} id={id} activity={<LazyTimeline of={{ nounId: id }} />} />;
}
