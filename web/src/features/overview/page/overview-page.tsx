import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { metricsQuery, type Metrics } from '../../../lib/overview/metrics-query.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Day, Time } from '../../../ui/text/time.tsx';
import { ActionableInsights } from './actionable-insights.tsx';
import { CriticalAlerts } from './critical-alerts.tsx';
import { EnhancedCards } from './enhanced-cards.tsx';
import type { Explain } from './explained-number.tsx';
import { ExposureTrend } from './exposure-trend.tsx';
import { Funnel } from './funnel.tsx';
import { GetStarted } from './get-started.tsx';
import { MetricCards } from './metric-cards.tsx';
import { MetricsAnnouncer } from './metrics-announcer.tsx';
import { inventoryQuery } from './queries.ts';
import { RiskCategories } from './risk-categories.tsx';
import { SecurityBanner } from './security-banner.tsx';

interface OverviewPageProps {
  /** Opens the explanation of a number. */
  explain: Explain;
  /** Starts an upload. */
  upload: ReactNode;
  /** More buttons of the header. */
  actions?: ReactNode;
  /** Parts of other features below the page: what to do first, why the numbers moved, their history. */
  children?: ReactNode;
}

/** The overview: risk at a glance (spec 2, Overview dashboard). Each part shows its own failure. */
export function OverviewPage({ explain, upload, actions, children }: OverviewPageProps) {
  const query = useQuery(metricsQuery);
  const { data: metrics, error } = query;
  const isEmpty = useIsEmpty(metrics);
  const parts = { metrics, explain };
  const failed = metrics === undefined && error !== null;
  return (
    <>
      <PageHeader
        title="Overview"
        description={failed ? undefined : <AsOf metrics={metrics} />}
        actions={
          <>
            {actions}
            {!isEmpty && upload}
          </>
        }
      />
      <MetricsAnnouncer metrics={metrics} />
      <div className="flex flex-col gap-3 sm:gap-4">
        {metrics !== undefined && error !== null && (
          <StaleNotice busy={query.isFetching} onRetry={() => void query.refetch()} />
        )}
        {failed ? (
          <Card label="Metrics">
            <ErrorState
              title="Failed to load metrics"
              error={error}
              busy={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </Card>
        ) : (
          <>
            {isEmpty ? <GetStarted upload={upload} /> : <SecurityBanner {...parts} />}
            <MetricCards {...parts} />
            {!isEmpty && <EnhancedCards {...parts} />}
            {isEmpty && (
              <div className="grid grid-cols-1 items-start gap-3 sm:gap-4 lg:grid-cols-2">
                <CriticalAlerts alerts={metrics?.alerts} />
                <ActionableInsights insights={metrics?.insights} />
              </div>
            )}
          </>
        )}
        {!isEmpty && (
          <>
            <Details metrics={metrics} failed={failed} explain={explain} />
            {children}
          </>
        )}
      </div>
    </>
  );
}

interface DetailsProps extends Pick<OverviewPageProps, 'explain'> {
  metrics: Metrics | undefined;
  /** Whether the metrics could not be loaded: the message about it is above. */
  failed: boolean;
}

/** Charts, alerts, insights and funnel; the charts have calls of their own. */
function Details({ metrics, failed, explain }: DetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-3 sm:gap-4 lg:grid-cols-2 xl:grid-cols-3">
      <div className="grid min-w-0 lg:col-span-2">
        <ExposureTrend explain={explain} />
      </div>
      {!failed && <CriticalAlerts alerts={metrics?.alerts} />}
      <RiskCategories explain={explain} />
      {!failed && <ActionableInsights insights={metrics?.insights} />}
      {!failed && <Funnel steps={metrics?.funnel} />}
    </div>
  );
}

/** Whether the organization has no threats, vulnerabilities and assets at all; false until that is known. */
function useIsEmpty(metrics: Metrics | undefined): boolean {
  const hasNumbers =
    metrics === undefined ||
    metrics.totalThreats.value + metrics.openVulnerabilities.value + metrics.assetsAtRisk.value > 0;
  const { data } = useQuery({ ...inventoryQuery, enabled: !hasNumbers });
  return !hasNumbers && data !== undefined && data.assets + data.threats + data.vulnerabilities === 0;
}

function AsOf({ metrics }: { metrics: Metrics | undefined }) {
  if (metrics === undefined) return 'Loading the latest numbers…';
  return (
    <>
      Updated <Time value={metrics.asOf} />
      {metrics.comparedWith !== null && (
        <>
          , compared with <Day value={metrics.comparedWith} />
        </>
      )}
    </>
  );
}

/** Above numbers that could not be updated: they stay on the screen. */
function StaleNotice({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded border bg-surface px-4 py-2 text-sm text-danger"
    >
      Failed to load metrics. The numbers below may be out of date.
      <Button size="sm" icon={<RotateCw aria-hidden size={14} />} busy={busy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
