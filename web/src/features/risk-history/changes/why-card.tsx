import { useQuery } from '@tanstack/react-query';
import { CalendarX, Equal } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '../../../lib/format/day.ts';
import { Button } from '../../../ui/button/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { changesQuery, type Changes } from '../queries.ts';
import type { RiskHistoryProps } from '../risk-history-search.ts';
import { useToday } from '../use-today.ts';
import { causeSteps } from './cause-steps.ts';
import { CauseTable } from './cause-table.tsx';
import { measureLabels, scoreText, signedText } from './cause-texts.ts';
import { CauseWaterfall } from './cause-waterfall.tsx';
import { periodOf, problemOf, type Period } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';

const measures = [
  { value: 'risk', label: 'Risk score' },
  { value: 'exposure', label: 'Exposure' },
] as const;

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;
type View = (typeof views)[number]['value'];

const title = 'Why did the number move';

/** The causes of the change of a score between two dates (decision 36): they lead exactly from one to the other. */
export function WhyCard({ search, onSearch }: RiskHistoryProps) {
  const today = useToday();
  const measure = search.measure ?? 'risk';
  const period = periodOf(search, today);
  const problem = problemOf(period, today);
  const [view, setView] = useState<View>('chart');
  return (
    <Card
      title={title}
      actions={<Segmented label="Causes shown as" items={views} value={view} onChange={setView} />}
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
        <PeriodChoice period={period} today={today} onSearch={onSearch} />
        <Segmented
          label="Number"
          items={measures}
          value={measure}
          onChange={(next) => onSearch({ measure: next === 'risk' ? undefined : next })}
        />
      </div>
      {problem === undefined ? (
        <Causes {...{ measure, period, view, today, onSearch }} />
      ) : (
        <p role="alert" className="px-4 py-8 text-center text-sm text-danger">
          {problem}
        </p>
      )}
      <p className="border-t px-4 py-2 text-xs text-muted">
        Compares the ends of two days, in UTC. A higher number is worse. Lists show records by their last
        change; deleted records are in the activity log.
      </p>
    </Card>
  );
}

interface CausesProps extends Pick<RiskHistoryProps, 'onSearch'> {
  measure: Changes['measure'];
  period: Period;
  view: View;
  today: string;
}

function Causes({ measure, period, view, today, onSearch }: CausesProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(changesQuery(measure, period));
  const failed = error !== null && (data === undefined || isPlaceholderData);
  if (failed) {
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
  const { from, to } = data;
  if (from.score === null || to.score === null) {
    return <NotRecorded {...{ data, today, onSearch }} />;
  }
  const ends = {
    from: { label: formatDay(from.date), score: from.score },
    to: { label: to.date === today ? `${formatDay(to.date)}, now` : formatDay(to.date), score: to.score },
  };
  const steps = causeSteps(data.measure, from.score, { to: to.score, causes: data.causes });
  const Shown = view === 'chart' ? CauseWaterfall : CauseTable;
  return (
    <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : ''}>
      <p className="px-4 py-3 text-base">{sentenceOf(data.measure, ends)}</p>
      <BeforeRecording {...{ data, today, onSearch }} />
      {steps.length === 0 ? (
        <EmptyState
          icon={<Equal aria-hidden size={20} />}
          title="No change"
          description="Nothing that the number is calculated from has changed between the two dates."
        />
      ) : (
        <Shown measure={data.measure} steps={steps} {...ends} />
      )}
    </div>
  );
}

interface Ends {
  from: { label: string; score: number };
  to: { label: string; score: number };
}

/** 'Overall risk score rose by 4, from 38 on Nov 15, 2026 to 42 on Nov 22, 2026.' */
function sentenceOf(measure: Changes['measure'], { from, to }: Ends): string {
  const text = (score: number) => scoreText(measure, score);
  const name = measureLabels[measure];
  if (text(from.score) === text(to.score)) {
    return `${name} is the same on both dates: ${text(to.score)}.`;
  }
  const verb = to.score > from.score ? 'rose' : 'fell';
  const by = signedText(measure, to.score - from.score).replace(/[+−]/u, '');
  return `${name} ${verb} by ${by}, from ${text(from.score)} on ${from.label} to ${text(to.score)} on ${to.label}.`;
}

interface NotRecordedProps extends Pick<RiskHistoryProps, 'onSearch'> {
  data: Changes;
  today: string;
}

/** Compares with the first recorded day; nothing when that is today. */
function CompareWithFirst({ data: { firstRecordedDay }, today, onSearch }: NotRecordedProps) {
  if (firstRecordedDay === null || firstRecordedDay >= today) return null;
  return (
    <Button size="sm" onClick={() => onSearch({ since: undefined, from: firstRecordedDay, to: today })}>
      Compare with {formatDay(firstRecordedDay)}
    </Button>
  );
}

/** A score before the first recorded day is that of an organization without records. */
function BeforeRecording(props: NotRecordedProps) {
  const { from, firstRecordedDay } = props.data;
  if (firstRecordedDay === null || from.date >= firstRecordedDay) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pb-3">
      <Notice>
        The numbers are recorded since {formatDay(firstRecordedDay)}. Before, the score counts no records.
      </Notice>
      <CompareWithFirst {...props} />
    </div>
  );
}

/** Instead of causes when one of the two dates has no score. */
function NotRecorded(props: NotRecordedProps) {
  const { from, to, firstRecordedDay } = props.data;
  const missing = [from, to].filter(({ score }) => score === null).map(({ date }) => date);
  const days = missing.map(formatDay).join(' and ');
  const recorded = firstRecordedDay !== null && missing.every((day) => day >= firstRecordedDay);
  if (recorded) {
    return (
      <EmptyState
        icon={<CalendarX aria-hidden size={20} />}
        title={`No score on ${days}`}
        description="No open vulnerability had a severity then."
      />
    );
  }
  return (
    <EmptyState
      icon={<CalendarX aria-hidden size={20} />}
      title={`Not recorded on ${days}`}
      description={
        firstRecordedDay === null
          ? 'The numbers are recorded from the first change on.'
          : `The numbers are recorded since ${formatDay(firstRecordedDay)}.`
      }
      action={<CompareWithFirst {...props} />}
    />
  );
}
