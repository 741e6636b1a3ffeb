import { projects } from '@riskboard/contract';
import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { LazyTimeline } from '../../../../features/activity/lazy-timeline.tsx';
import { asset } from '../../../../features/assets/asset.ts';
import { projectAssetsSource } from '../../../../features/projects/detail/project-assets-source.ts';
import { ProjectPage } from '../../../../features/projects/detail/project-page.tsx';
import { projectRiskQuery } from '../../../../features/projects/queries.ts';
import { detailQuery } from '../../../../lib/entity/queries.ts';
import { lazyPart, reserved } from '../../../../ui/layout/lazy-part.tsx';

// The URL state does not depend on the project.
const { schema, initial } = projectAssetsSource('');

// Loaded after the page: it starts below the visible part.
const ProjectAssets = lazyPart(
  async () => (await import('../../../../features/projects/detail/project-assets.tsx')).ProjectAssets,
  reserved('h-96'),
);

export const Route = createFileRoute('/dashboard/projects/$id/')({
  staticData: { crumb: 'Project' },
  validateSearch: schema,
  search: { middlewares: [stripSearchParams(initial)] },
  loader({ context: { queryClient }, params: { id } }) {
    void queryClient.prefetchQuery(detailQuery({ noun: 'projects', calls: projects }, id));
    void queryClient.prefetchQuery(projectRiskQuery(id));
  },
  component: Project,
});

function Project() {
  const { id } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectPage
      key={id}
      id={id}
      assets={
        <ProjectAssets
          projectId={id}
          asset={asset}
          search={search}
          onSearch={(next, how) => void navigate({ search: next, resetScroll: false, ...how })}
        />
      }
      activity={<LazyTimeline of={{ projectId: id }} title="Activity Timeline" />}
    />
  );
}
