import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/overview/page/overview-page.tsx';
import { exposureTrendQuery, riskCategoriesQuery } from '../../features/overview/page/queries.ts';
import { DataUploadMenu } from '../../features/reports/upload/data-upload-menu.tsx';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';
import { metricsQuery } from '../../lib/overview/metrics-query.ts';

export const Route = createFileRoute('/dashboard/overview')({
  staticData: { crumb: 'Overview' },
  loader({ context: { queryClient } }) {
    // Each section of the page shows its own error.
    void queryClient.prefetchQuery(metricsQuery);
    void queryClient.prefetchQuery(riskCategoriesQuery);
    void queryClient.prefetchQuery(exposureTrendQuery);
  },
  component: Overview,
});

function Overview() {
  return (
    <OverviewPage
      explain={() => undefined}
      upload={<DataUploadMenu onUploadVignette={openVignetteUpload} />}
    />
  );
}
