import { createFileRoute } from '@tanstack/react-router';
import { FileChartColumn } from 'lucide-react';
import { OverviewPage } from '../../features/overview/page/overview-page.tsx';
import { exposureTrendQuery, riskCategoriesQuery } from '../../features/overview/page/queries.ts';
import { DataUploadMenu } from '../../features/reports/upload/data-upload-menu.tsx';
import {
  Explained,
  RiskHistory,
  WhatToDoFirst,
  WhyItMoved,
} from '../../features/risk-history/lazy-parts.tsx';
import {
  riskHistoryParameters,
  type RiskHistoryProps,
} from '../../features/risk-history/risk-history-search.ts';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';
import { searchSchema } from '../../lib/list/search-schema.ts';
import { metricsQuery } from '../../lib/overview/metrics-query.ts';
import { LinkButton } from '../../ui/button/link-button.tsx';

export const Route = createFileRoute('/dashboard/overview')({
  staticData: { crumb: 'Overview' },
  validateSearch: searchSchema(riskHistoryParameters),
  loader({ context: { queryClient } }) {
    // Each section of the page shows its own error.
    void queryClient.prefetchQuery(metricsQuery);
    void queryClient.prefetchQuery(riskCategoriesQuery);
    void queryClient.prefetchQuery(exposureTrendQuery);
  },
  component: Overview,
});

function Overview() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch: RiskHistoryProps['onSearch'] = (change) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
      // Back closes an opened explanation; it does not undo each choice of a date.
      replace: change.explain === undefined,
    });
  return (
    <>
      <OverviewPage
        explain={(metric) => onSearch({ explain: metric })}
        actions={
          <LinkButton to="/dashboard/report" icon={<FileChartColumn aria-hidden size={14} />}>
            Risk report
          </LinkButton>
        }
        upload={<DataUploadMenu onUploadVignette={openVignetteUpload} />}
      >
        <div className="grid grid-cols-1 items-start gap-3 sm:gap-4 xl:grid-cols-[3fr_2fr]">
          <WhyItMoved search={search} onSearch={onSearch} />
          <WhatToDoFirst />
        </div>
        <RiskHistory search={search} onSearch={onSearch} />
      </OverviewPage>
      <Explained search={search} onSearch={onSearch} />
    </>
  );
}
