import type { projects, Reply } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatDay, formatMonthDay } from '../../../lib/format/day.ts';
import { formatMean } from '../../../lib/format/format.ts';
import {
  firstDayOf,
  historyRangeItems,
  utcDay,
  type HistoryRange,
} from '../../../lib/format/history-range.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { SeriesChartCard } from '../../../ui/chart/series-chart-card.tsx';
import type { Series, SeriesChart } from '../../../ui/chart/series-chart.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { projectRiskHistoryQuery } from '../queries.ts';

type RiskHistory = Reply<(typeof projects)['riskHistory']>;
type Point = RiskHistory['points'][number];

/** A line of scores; a point without a record is a gap. */
const scoreLine = (
  points: readonly Point[],
  key: 'mean' | 'highest',
  style: Pick<Series, 'name' | 'color' | 'dash'>,
): Series => {
  const values = points.map((point) => point[key]);
  return {
    ...style,
    values,
    texts: values.map((value) => (value === null ? 'Not recorded' : formatMean(value))),
  };
};

const countColumn = (points: readonly Point[], key: 'assetsAtRisk' | 'assets', name: string): Series => ({
  name,
  color: 'muted',
  values: points.map((point) => point[key]),
  texts: points.map((point) => (point.mean === null ? '' : formatCount(point[key]))),
  tableOnly: true,
});

/** Spec 9: scores are 0 to 10, a tick every 2. */
const chartOf = ({ points, step }: RiskHistory): SeriesChart => ({
  kind: 'line',
  points: points.map(({ date }) => ({
    label: formatMonthDay(date),
    name: step === 1 ? formatDay(date) : `${step} days to ${formatDay(date)}`,
  })),
  series: [
    scoreLine(points, 'mean', { name: 'Mean risk score', color: 'accent' }),
    scoreLine(points, 'highest', { name: 'Highest risk score', color: 'red', dash: 6 }),
    countColumn(points, 'assetsAtRisk', 'Assets at risk'),
    countColumn(points, 'assets', 'Assets'),
  ],
  axis: { max: 10, tick: 2 },
});

/** Recorded risk scores of the assets of a project over time. */
export function ProjectRiskHistory({ id }: { id: string }) {
  const [range, setRange] = useState<HistoryRange>('90d');
  const query = useQuery(projectRiskHistoryQuery(id, firstDayOf(range, utcDay(useNow()))));
  // A range that failed to load must not show the former one.
  const data = query.error !== null && query.isPlaceholderData ? undefined : query.data;
  const chart = useMemo(() => data && chartOf(data), [data]);
  const recorded = data?.points.filter(({ mean }) => mean !== null).length ?? 0;
  return (
    <SeriesChartCard
      label="Project risk history"
      controls={
        <Segmented
          label="Range of the project risk history"
          items={historyRangeItems}
          value={range}
          onChange={setRange}
        />
      }
      chart={chart}
      pointLabel={data?.step === 1 ? 'Day' : 'Days'}
      query={query}
      height={220}
      note={
        <p className="border-t px-4 py-2 text-xs text-muted">
          Recorded scores of the assets that the project has now. Days are UTC; a time without a record is a
          gap.
        </p>
      }
      {...(data !== undefined &&
        recorded < 2 && {
          empty: (
            <EmptyState
              icon={<ChartLine aria-hidden size={20} />}
              title="No history yet."
              description="Scores are recorded at each change and once a day. The chart needs two days."
            />
          ),
        })}
    />
  );
}
