import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  firstDayOf,
  historyRangeItems,
  utcDay,
  type HistoryRange,
} from '../../../lib/format/history-range.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { BarChartCard } from '../../../ui/chart/bar-chart-card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { scoreQuery } from './score-query.ts';
import { trendBars, trendLegend } from './trend-bars.ts';

/** Spec 9: 0 to 10, a tick every 2. */
const axis = { max: 10, tick: 2 };

/** Recorded risk scores of an asset over time (spec 2, Asset detail). */
export function RiskTrend({ id }: { id: string }) {
  const query = useQuery(scoreQuery(id));
  const { data } = query;
  const [range, setRange] = useState<HistoryRange>('all');
  const since = firstDayOf(range, utcDay(useNow()));
  const trend = useMemo(() => data && trendBars(data.history, since), [data, since]);
  const recorded = trend?.bars.filter(({ value }) => value !== null).length ?? 0;
  return (
    <BarChartCard
      label="Risk trend"
      controls={
        <Segmented
          label="Range of the risk trend"
          items={historyRangeItems}
          value={range}
          onChange={setRange}
        />
      }
      bars={trend?.bars}
      axis={axis}
      columns={[trend?.step ?? 'Day', 'Risk score']}
      query={query}
      legend={trendLegend}
      note={
        <p className="border-t px-4 py-2 text-xs text-muted">
          Days are UTC.
          {data?.historyIsThinned === true && ' All: the newest 400 recorded days.'}
        </p>
      }
      {...(trend !== undefined &&
        recorded < 2 && {
          empty: (
            <EmptyState
              icon={<ChartColumn aria-hidden size={20} />}
              title={range === 'all' ? 'No trend yet.' : 'No trend in this time.'}
              description="The chart needs two days."
            />
          ),
        })}
    />
  );
}
