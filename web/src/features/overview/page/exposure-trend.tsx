import { lazily, severityBands } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useMemo } from 'react';
import type { overview, Reply } from '@riskboard/contract';
import { formatMean } from '../../../lib/format/format.ts';
import type { Bar } from '../../../ui/chart/bar-chart.ts';
import { LevelChartCard, type ChartLevel } from '../../../ui/chart/level-chart-card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ExplainedNumber, type Explain } from './explained-number.tsx';
import { exposureTrendQuery } from './queries.ts';

type Point = Reply<(typeof overview)['exposureTrend']>[number];

const [, high, medium] = severityBands;

/** Spec 9: red High, amber Medium, green Low, on an axis from 0 to 10. */
const levels = [
  { from: high.from, to: 10, label: 'High', color: 'red' },
  { from: medium.from, to: high.from, label: 'Medium', color: 'amber' },
  { from: 0, to: medium.from, label: 'Low', color: 'green' },
] as const satisfies readonly ChartLevel[];

const shortMonth = lazily(() => new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }));
const longMonth = lazily(
  () => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);

function pointOf({ date, severity, level }: Point): Bar {
  const month = new Date(`${date}T00:00:00Z`);
  const names = { label: shortMonth().format(month), name: longMonth().format(month) };
  if (severity === null || level === null) {
    return { ...names, value: null, color: 'unknown', text: 'No open vulnerability' };
  }
  const color = levels.find(({ label }) => label === level)?.color ?? 'unknown';
  return { ...names, value: severity, color, text: `${formatMean(severity)} ${level}` };
}

/** Mean severity of the open vulnerabilities by month (spec 2, Risk Exposure Trend). */
export function ExposureTrend({ explain }: { explain: Explain }) {
  const query = useQuery(exposureTrendQuery);
  const points = useMemo(() => query.data?.map(pointOf), [query.data]);
  const now = points?.at(-1);
  return (
    <LevelChartCard
      label="Risk Exposure Trend"
      title="Risk Exposure Trend"
      points={points}
      levels={levels}
      columns={['Month', 'Mean severity']}
      query={query}
      height={300}
      lead={
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3">
          <h3 className="text-sm text-muted">Monthly summary of risk levels</h3>
          {now?.value !== undefined && now.value !== null && (
            <p className="text-sm text-muted">
              Mean severity now{' '}
              <ExplainedNumber
                metric="riskExposure"
                label="Risk exposure"
                text={now.text}
                explain={explain}
                className="font-semibold text-text"
              />
            </p>
          )}
          <p className="w-full text-xs text-muted">
            Past months are recalculated with the discovery and fix dates known today.
          </p>
        </div>
      }
      {...(points?.every(({ value }) => value === null) && {
        empty: (
          <EmptyState
            icon={<ChartLine aria-hidden size={20} />}
            title="No trend yet."
            description="The chart needs an open vulnerability with a severity in one of the last 12 months."
          />
        ),
      })}
    />
  );
}
