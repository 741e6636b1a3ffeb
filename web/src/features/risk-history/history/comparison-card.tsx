import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight, ArrowUpRight, Equal } from 'lucide-react';
import { formatDay } from '../../../lib/format/day.ts';
import { formatExposure, roundToHundredths } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { SmallTable } from '../../../ui/table/small-table.tsx';
import { periodOf, problemOf, type Period } from '../changes/period.ts';
import { PeriodChoice } from '../changes/period-choice.tsx';
import { historyQuery, type Explanation } from '../queries.ts';
import type { RiskHistoryProps } from '../risk-history-search.ts';
import { useToday } from '../use-today.ts';
import type { DayPoint } from './recorded-days.ts';

/** The recorded numbers of two dates side by side. The dates are those of 'Why did the number move'. */
export function ComparisonCard({ search, onSearch }: RiskHistoryProps) {
  const today = useToday();
  const period = periodOf(search, today);
  const problem = problemOf(period, today);
  return (
    <Card title="Two dates side by side">
      <div className="border-b px-4 py-2">
        <PeriodChoice period={period} today={today} onSearch={onSearch} />
      </div>
      {problem === undefined ? (
        <Comparison period={period} explain={(metric) => onSearch({ explain: metric })} />
      ) : (
        <p role="alert" className="px-4 py-8 text-center text-sm text-danger">
          {problem}
        </p>
      )}
    </Card>
  );
}

const numbers = [
  { key: 'score', metric: 'overallRisk', label: 'Overall risk score', textOf: formatCount },
  { key: 'totalThreats', metric: 'totalThreats', label: 'Total threats', textOf: formatCount },
  {
    key: 'openVulnerabilities',
    metric: 'openVulnerabilities',
    label: 'Open vulnerabilities',
    textOf: formatCount,
  },
  {
    key: 'newVulnerabilities',
    metric: 'newVulnerabilities',
    label: 'New vulnerabilities',
    textOf: formatCount,
  },
  { key: 'assetsAtRisk', metric: 'assetsAtRisk', label: 'Assets at risk', textOf: formatCount },
  {
    key: 'exposure',
    metric: 'riskExposure',
    label: 'Risk exposure',
    textOf: formatExposure,
  },
] as const;

interface ComparisonProps {
  period: Period;
  /** Opens the explanation of a number. */
  explain: (metric: Explanation['metric']) => void;
}

function Comparison({ period: { from, to }, explain }: ComparisonProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(historyQuery(from, to));
  if (error !== null && (data === undefined || isPlaceholderData)) {
    return (
      <ErrorState
        title="Failed to load chart data."
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) return <div className="min-h-60" />;
  const [before, after] = [from, to].map((day) => data.days.find(({ date }) => date === day));
  const columns = [
    { label: 'Number' },
    { label: formatDay(from), align: 'right' },
    { label: formatDay(to), align: 'right' },
    { label: 'Difference', align: 'right' },
  ] as const;
  return (
    <div
      aria-busy={isPlaceholderData || undefined}
      className={`overflow-x-auto px-4 py-2 ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <SmallTable label="Two dates side by side" columns={columns}>
        <tbody>
          {numbers.map(({ key, metric, label, textOf }) => (
            <tr key={key} className="border-t">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                <button
                  type="button"
                  aria-haspopup="dialog"
                  title={`How ${label} is calculated`}
                  onClick={() => explain(metric)}
                  className="-mx-1 min-h-6 cursor-pointer rounded px-1 text-left underline decoration-line-strong decoration-dotted decoration-1 underline-offset-4"
                >
                  {label}
                </button>
              </th>
              <td className={numberStyle}>{textAt(before, key, textOf)}</td>
              <td className={numberStyle}>{textAt(after, key, textOf)}</td>
              <td className={numberStyle}>
                <Difference before={before?.[key] ?? null} after={after?.[key] ?? null} textOf={textOf} />
              </td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
      <p className="pt-2 text-xs text-muted">
        Lower is better for each number. As recorded at the end of each day, in UTC.
      </p>
    </div>
  );
}

const numberStyle = 'py-1.5 pr-3 text-right tabular-nums last:pr-0';

type Key = (typeof numbers)[number]['key'];

function textAt(point: DayPoint | undefined, key: Key, textOf: (value: number) => string): string {
  if (point === undefined) return 'Not recorded';
  const value = point[key];
  return value === null ? 'None open' : textOf(value);
}

const looks = {
  better: { label: 'Better', tone: 'success', icon: <ArrowDownRight aria-hidden size={12} />, sign: '−' },
  worse: { label: 'Worse', tone: 'danger', icon: <ArrowUpRight aria-hidden size={12} />, sign: '+' },
  same: { label: 'Same', tone: 'neutral', icon: <Equal aria-hidden size={12} />, sign: '' },
} as const;

interface DifferenceProps {
  before: number | null;
  after: number | null;
  textOf: (value: number) => string;
}

/** The difference of the shown numbers, and whether it is good. */
function Difference({ before, after, textOf }: DifferenceProps) {
  if (before === null || after === null) return <span className="text-muted">–</span>;
  const change = roundToHundredths(after) - roundToHundredths(before);
  const text = textOf(Math.abs(change));
  const look = looks[change === 0 ? 'same' : change < 0 ? 'better' : 'worse'];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {look.sign}
      {text}
      <Badge tone={look.tone} icon={look.icon}>
        {look.label}
      </Badge>
    </span>
  );
}
