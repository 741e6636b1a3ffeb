import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { ReportStrip } from '../../features/overview/report-strip.tsx';
import { overviewQuery, recentFilesQuery } from '../../features/overview/queries.ts';
import { ProjectsPage } from '../../features/projects/list/projects-page.tsx';
import { projectsSource } from '../../features/projects/list/projects-source.ts';
import { projectMetricsQuery } from '../../features/projects/queries.ts';
import { DataUploadMenu } from '../../features/reports/upload/data-upload-menu.tsx';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';
import { useUser } from '../../lib/session/account.ts';

export const Route = createFileRoute('/dashboard/')({
  validateSearch: projectsSource.schema,
  search: { middlewares: [stripSearchParams(projectsSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader({ context: { queryClient }, deps }) {
    // Each section of the page shows its own error.
    void queryClient.prefetchQuery(projectMetricsQuery);
    void queryClient.prefetchQuery(projectsSource.query(deps));
    void queryClient.prefetchQuery(overviewQuery);
    void queryClient.prefetchQuery(recentFilesQuery);
  },
  component: Landing,
});

function Landing() {
  const user = useUser();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const upload = <DataUploadMenu onUploadVignette={openVignetteUpload} />;
  return (
    <ProjectsPage
      user={user}
      search={search}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
      upload={upload}
      strip={<ReportStrip upload={upload} />}
    />
  );
}
