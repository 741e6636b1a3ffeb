import { formatCount, goodDirections, plural } from '@riskboard/domain';
import { Activity, Bug, Gauge, ShieldCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../lib/format/format.ts';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ChangeText } from './change-text.tsx';
import { ExplainedNumber, type Explain } from './explained-number.tsx';

const bandTones = { Low: 'low', Medium: 'medium', High: 'danger' } as const;
const barTones = { Low: 'success', Medium: 'warning', High: 'danger' } as const;

interface EnhancedCard {
  readonly metric: 'overallRisk' | 'activeThreats' | 'openVulnerabilities' | 'remediationRate';
  readonly label: string;
  readonly Icon: LucideIcon;
  /** Whether it is the number of rows of a list. */
  readonly countsRows: boolean;
  readonly text: (value: number) => string;
  /** Beside the number. */
  readonly after?: (metrics: Metrics) => ReactNode;
  /** Below the number. */
  readonly below: (metrics: Metrics) => ReactNode;
}

const percent = (value: number) => `${formatNumber(Math.round(value * 10) / 10)}%`;

/** Share of a whole, as a bar with its text. */
function Share({ label, value, children }: { label: string; value: number; children: ReactNode }) {
  return (
    <>
      <ProgressBar label={label} value={value} />
      <p className="mt-1.5">{children}</p>
    </>
  );
}

const shareOf = (part: number, all: number): number => (all === 0 ? 0 : part / all);

/** Spec 2 and 9, Overview. */
const cards: readonly EnhancedCard[] = [
  {
    metric: 'overallRisk',
    label: 'Overall Risk Score',
    Icon: Gauge,
    countsRows: false,
    text: formatCount,
    after: ({ overallRisk: { band } }) => (
      <>
        <span className="text-sm text-muted">of 100</span>
        <Badge tone={bandTones[band]}>{band}</Badge>
      </>
    ),
    below: ({ overallRisk: { bar, band } }) => (
      <>
        <ProgressBar label="Points below the highest score" value={bar / 100} tone={barTones[band]} />
        <p className="mt-1.5">{plural(bar, 'point')} below the highest score</p>
      </>
    ),
  },
  {
    metric: 'activeThreats',
    label: 'Active Threats',
    Icon: Activity,
    countsRows: true,
    text: formatCount,
    below: ({ activeThreats, totalThreats }) => (
      <Share label="Active share of all threats" value={shareOf(activeThreats.value, totalThreats.value)}>
        Of {plural(totalThreats.value, 'threat')}
      </Share>
    ),
  },
  {
    metric: 'openVulnerabilities',
    label: 'Open Vulnerabilities',
    Icon: Bug,
    countsRows: true,
    text: formatCount,
    below: ({ openVulnerabilities: { critical, value } }) => (
      <Share label="Critical share of open vulnerabilities" value={shareOf(critical, value)}>
        {formatCount(critical)} critical
      </Share>
    ),
  },
  {
    metric: 'remediationRate',
    label: 'Remediation Rate',
    Icon: ShieldCheck,
    countsRows: false,
    text: percent,
    below: ({ remediationRate: { value }, newVulnerabilities: { value: found }, openVulnerabilities }) => (
      <Share label="Remediation rate in percent" value={value / 100}>
        {formatCount(found)} new of {formatCount(openVulnerabilities.value + found)} open and new
      </Share>
    ),
  },
];

interface EnhancedCardsProps {
  /** Undefined while they load. */
  metrics: Metrics | undefined;
  explain: Explain;
}

/** The four enhanced metric cards. */
export function EnhancedCards({ metrics, explain }: EnhancedCardsProps) {
  return (
    <section aria-label="Risk and remediation" className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {cards.map(({ metric, label, Icon, countsRows, text, after, below }) => (
        <article
          key={metric}
          aria-label={label}
          className="flex min-h-38 flex-col gap-2 rounded border bg-surface px-3 py-3 sm:px-4"
        >
          <header className="flex flex-wrap items-center justify-between gap-x-2 text-sm text-muted">
            <h2 className="flex items-center gap-2">
              <Icon aria-hidden size={16} className="hidden shrink-0 sm:block" />
              {label}
            </h2>
            {metrics && countsRows && (
              <PathLink path={metrics[metric].link} className={`${loneLinkStyle} shrink-0`}>
                View list<span className="sr-only"> of {label}</span>
              </PathLink>
            )}
          </header>
          {metrics === undefined ? (
            <Skeleton width="96px" />
          ) : (
            <>
              <div className="flex flex-wrap items-baseline gap-x-2">
                <ExplainedNumber
                  {...{ metric, label, explain }}
                  text={text(metrics[metric].value)}
                  className="text-2xl font-semibold tracking-tight"
                />
                {after?.(metrics)}
              </div>
              <div className="text-sm text-muted">{below(metrics)}</div>
              <ChangeText
                change={metrics[metric]}
                good={goodDirections[metric]}
                comparedWith={metrics.comparedWith}
              />
            </>
          )}
        </article>
      ))}
    </section>
  );
}
