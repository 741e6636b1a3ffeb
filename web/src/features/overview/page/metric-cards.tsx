import { formatCount, goodDirections } from '@riskboard/domain';
import { Boxes, Bug, ShieldAlert, Sparkles, type LucideIcon } from 'lucide-react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ChangeText } from './change-text.tsx';
import { ExplainedNumber, type Explain } from './explained-number.tsx';

interface MetricsPartProps {
  /** Undefined while they load. */
  metrics: Metrics | undefined;
  explain: Explain;
}

interface MetricCard {
  readonly metric: 'totalThreats' | 'openVulnerabilities' | 'newVulnerabilities' | 'assetsAtRisk';
  readonly label: string;
  readonly detail: (metrics: Metrics) => string;
  readonly Icon: LucideIcon;
}

/** Spec 2, Overview dashboard. */
const cards: readonly MetricCard[] = [
  {
    metric: 'totalThreats',
    label: 'Total Threats',
    detail: ({ totalThreats: { high } }) => `${formatCount(high)} with a high risk level`,
    Icon: ShieldAlert,
  },
  {
    metric: 'openVulnerabilities',
    label: 'Open Vulnerabilities',
    detail: ({ openVulnerabilities: { critical } }) => `${formatCount(critical)} critical`,
    Icon: Bug,
  },
  {
    metric: 'newVulnerabilities',
    label: 'New Vulnerabilities',
    detail: () => 'In the last 30 days, open',
    Icon: Sparkles,
  },
  {
    metric: 'assetsAtRisk',
    label: 'Assets at Risk',
    detail: () => 'Critical, or score from 7',
    Icon: Boxes,
  },
];

/** The four metric cards with their change and a link to exactly the counted rows. */
export function MetricCards({ metrics, explain }: MetricsPartProps) {
  return (
    <section aria-label="Metrics" className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {cards.map(({ metric, label, detail, Icon }) => (
        <article
          key={metric}
          aria-label={label}
          className="flex flex-col rounded border bg-surface px-3 py-3 sm:px-4"
        >
          <h2 className="flex items-center justify-between gap-2 text-sm text-muted">
            {label}
            <Icon aria-hidden size={16} className="hidden shrink-0 sm:block" />
          </h2>
          <p className="mt-1 min-h-11 text-3xl font-semibold tracking-tight">
            {metrics === undefined ? (
              <Skeleton width="72px" />
            ) : (
              <ExplainedNumber {...{ metric, label, explain }} text={formatCount(metrics[metric].value)} />
            )}
          </p>
          <div className="min-h-5">
            {metrics === undefined ? (
              <Skeleton width="130px" />
            ) : (
              <ChangeText
                change={metrics[metric]}
                good={goodDirections[metric]}
                comparedWith={metrics.comparedWith}
              />
            )}
          </div>
          <div className="mt-auto flex min-h-5 flex-wrap items-end justify-between gap-x-3 pt-2 text-sm text-muted">
            <span>{metrics && detail(metrics)}</span>
            {metrics && (
              <PathLink path={metrics[metric].link} className={`${loneLinkStyle} shrink-0`}>
                See Detail
                <span className="sr-only"> of {label}</span>
              </PathLink>
            )}
          </div>
        </article>
      ))}
    </section>
  );
}
