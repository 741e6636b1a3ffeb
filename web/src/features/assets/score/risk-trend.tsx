import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useMemo } from 'react';
import { BarChartCard } from '../../../ui/chart/bar-chart-card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { scoreQuery } from './score-query.ts';
import { trendBars, trendLegend } from './trend-bars.ts';

/** Spec 9: 0 to 10, a tick every 2. */
const axis = { max: 10, tick: 2 };

/** Recorded risk scores of an asset over time (spec 2, Asset detail). */
export function RiskTrend({ id }: { id: string }) {
  const query = useQuery(scoreQuery(id));
  const { data } = query;
  const trend = useMemo(() => data && trendBars(data.history), [data]);
  const recorded = trend?.bars.filter(({ value }) => value !== null).length ?? 0;
  return (
    <BarChartCard
      label="Risk trend"
      bars={trend?.bars}
      axis={axis}
      columns={[trend?.step ?? 'Day', 'Risk score']}
      query={query}
      legend={trendLegend}
      {...(trend !== undefined &&
        recorded < 2 && {
          empty: (
            <EmptyState
              icon={<ChartColumn aria-hidden size={20} />}
              title="No trend yet."
              description="The score is recorded at each change and once a day. The chart needs two days."
            />
          ),
        })}
    />
  );
}
