import { createFileRoute } from '@tanstack/react-router';
import { EditAssetPage } from '../../../../features/assets/form/asset-form.tsx';
import { assets } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/assets/$id/edit')({
  staticData: { crumb: 'Edit asset', section: 'Assets' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(detailQuery({ noun: 'assets', calls: assets }, params.id)),
  component: Edit,
});

function Edit() {
  return <EditAssetPage id={Route.useParams().id} />;
}
