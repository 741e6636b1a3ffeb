import { createFileRoute } from '@tanstack/react-router';
import { AssetForm } from '../../../features/assets/form/asset-form.tsx';
import { id, searchSchema } from '../../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/assets/new')({
  staticData: { crumb: 'New asset', section: 'Assets' },
  validateSearch: searchSchema({ projectId: id }),
  component: New,
});

function New() {
  const { projectId } = Route.useSearch();
  return <AssetForm key={projectId} projectId={projectId} />;
}
