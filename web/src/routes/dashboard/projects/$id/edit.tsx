import { projects } from '@riskboard/contract';
import { createFileRoute } from '@tanstack/react-router';
import { EditProjectPage } from '../../../../features/projects/form/project-form.tsx';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/projects/$id/edit')({
  staticData: { crumb: 'Edit project' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(detailQuery({ noun: 'projects', calls: projects }, params.id)),
  component: Edit,
});

function Edit() {
  return <EditProjectPage id={Route.useParams().id} />;
}
