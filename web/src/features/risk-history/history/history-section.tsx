import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { formatDay } from '../../../lib/format/day.ts';
import { formatFileDate } from '../../../lib/format/format.ts';
import { firstDayOf, historyRangeItems } from '../../../lib/format/history-range.ts';
import { SeriesChartCard } from '../../../ui/chart/series-chart-card.tsx';
import type { SeriesChart } from '../../../ui/chart/series-chart.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { historyQuery, type History } from '../queries.ts';
import type { RiskHistoryProps } from '../risk-history-search.ts';
import { useToday } from '../use-today.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { countsChart, exposureChart, scoreChart } from './history-charts.ts';
import { gapText, recordedDays } from './recorded-days.ts';
import { changeText, remediationDaysChart, resolvedChart } from './remediation-charts.ts';

const standardRange = '90d';

/** The recorded numbers over time, two dates side by side, and remediation by week. Days are UTC. */
export function HistorySection({ search, onSearch }: RiskHistoryProps) {
  const today = useToday();
  const range = search.range ?? standardRange;
  const query = useQuery(historyQuery(firstDayOf(range, today), today));
  const { data, isPlaceholderData } = query;
  // A range that failed to load must not show the former one.
  const history = query.error !== null && isPlaceholderData ? undefined : data;
  const charts = useMemo(() => history && chartsOf(history, today), [history, today]);
  return (
    <section aria-labelledby="risk-history" className="flex flex-col gap-3 pt-4 sm:gap-4">
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id="risk-history" className="text-lg font-semibold">
            History
          </h2>
          <p className="text-sm text-muted">{sinceText(history)}</p>
        </div>
        <Segmented
          label="Range of the history"
          items={historyRangeItems}
          value={range}
          onChange={(next) => onSearch({ range: next === standardRange ? undefined : next })}
        />
      </header>
      <div
        aria-busy={isPlaceholderData || undefined}
        className="grid grid-cols-1 gap-3 sm:gap-4 xl:grid-cols-2"
      >
        {chartCards.map(({ key, ...card }) => (
          <SeriesChartCard
            key={key}
            {...card}
            query={query}
            chart={charts?.[key].chart}
            pointLabel={charts?.[key].step ?? card.pointLabel}
            note={charts !== undefined && <Note text={charts[key].note} />}
            {...(charts?.[key].isEmpty === true && {
              empty: <TooLittle>{`${card.tooLittle} ${charts[key].asOf ?? ''}`}</TooLittle>,
            })}
          />
        ))}
        <ComparisonCard search={search} onSearch={onSearch} />
      </div>
    </section>
  );
}

const needsTwoDays = 'The numbers are recorded once a day. The chart needs two days.';

const chartCards = [
  { key: 'score', label: 'Overall risk score', pointLabel: 'Day', tooLittle: needsTwoDays },
  { key: 'exposure', label: 'Risk exposure', pointLabel: 'Day', tooLittle: needsTwoDays },
  { key: 'counts', label: 'Counts', pointLabel: 'Day', tooLittle: needsTwoDays },
  {
    key: 'remediation',
    label: 'Days to remediate',
    pointLabel: 'Week',
    tooLittle: 'No vulnerability was fixed in this time.',
  },
  {
    key: 'resolved',
    label: 'Found and resolved',
    pointLabel: 'Week',
    tooLittle: 'No vulnerability was found or resolved in this time.',
  },
] as const;

interface ShownChart {
  chart: SeriesChart;
  step: string;
  note: string;
  isEmpty: boolean;
  /** When the numbers were calculated, of those that are not current. */
  asOf?: string;
}

function chartsOf(
  { days, weeks, recomputedAt }: History,
  today: string,
): Record<(typeof chartCards)[number]['key'], ShownChart> {
  const recorded = recordedDays(days, today);
  const asOf = asOfText(recomputedAt);
  const daily = (chart: SeriesChart): ShownChart => ({
    chart,
    step: recorded.step,
    note: gapText(recorded.gaps),
    isEmpty: days.length < 2,
  });
  return {
    score: daily(scoreChart(recorded)),
    exposure: withNote(daily(exposureChart(recorded)), 'As recorded on each day.'),
    counts: daily(countsChart(recorded)),
    remediation: {
      chart: remediationDaysChart(weeks),
      step: 'Week',
      note: `Days from discovery to the fix, by the week of the fix. A week without a fix is a gap. ${asOf}`,
      isEmpty: weeks.every(({ fixed }) => fixed === 0),
      asOf,
    },
    resolved: {
      chart: resolvedChart(weeks),
      step: 'Week',
      note: `${changeText(weeks)} Resolved: fixed, mitigated, accepted or deleted, less the reopened ones.`,
      isEmpty: weeks.every(({ found, resolved }) => found === 0 && resolved === 0),
    },
  };
}

const withNote = (chart: ShownChart, text: string): ShownChart => ({
  ...chart,
  note: chart.note === '' ? text : `${text} ${chart.note}`,
});

/** When the days to remediate were calculated: a single fix is not in them before the next calculation. */
function asOfText(recomputedAt: string | null): string {
  const when = 'daily and after changes of many records';
  if (recomputedAt === null) return `Calculated ${when}.`;
  return `As of ${formatFileDate(recomputedAt)}; recalculated ${when}.`;
}

/** Since when the numbers are recorded. */
function sinceText(history: History | undefined): string {
  const days = 'Days and weeks are UTC.';
  if (history === undefined) return days;
  const { firstRecordedDay } = history;
  if (firstRecordedDay === null) return `Nothing is recorded yet. ${days}`;
  return `Recorded since ${formatDay(firstRecordedDay)}. ${days}`;
}

function Note({ text }: { text: string }) {
  return text === '' ? null : <p className="border-t px-4 py-2 text-xs text-muted">{text}</p>;
}

function TooLittle({ children }: { children: ReactNode }) {
  return (
    <EmptyState icon={<ChartLine aria-hidden size={20} />} title="No history yet." description={children} />
  );
}
