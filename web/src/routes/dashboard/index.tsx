import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '../../features/overview/dashboard-page.tsx';
import { overviewQuery, recentFilesQuery } from '../../features/overview/queries.ts';
import { DataUploadMenu } from '../../features/reports/upload/data-upload-menu.tsx';
import { useUser } from '../../lib/session/account.ts';

export const Route = createFileRoute('/dashboard/')({
  loader({ context: { queryClient } }) {
    // Each section of the page shows its own error.
    void queryClient.prefetchQuery(overviewQuery);
    void queryClient.prefetchQuery(recentFilesQuery);
  },
  component: Landing,
});

function Landing() {
  const user = useUser();
  return <DashboardPage user={user} upload={<DataUploadMenu />} />;
}
