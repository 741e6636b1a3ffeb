import { lazily } from '@riskboard/domain';
import type { goodDirections } from '@riskboard/domain';
import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { formatNumber } from '../../../lib/format/format.ts';

/** Which direction of a number is good. */
type GoodDirection = (typeof goodDirections)[keyof typeof goodDirections];

type Change = Pick<Metrics['totalThreats'], 'change' | 'changeType'>;

const monthDay = lazily(
  () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
);

/** 'Oct 23' of a calendar day. */
const shortDay = (day: string): string => monthDay().format(new Date(`${day}T00:00:00Z`));

const directions = {
  increase: { text: 'Up', good: 'higher', Icon: TrendingUp },
  decrease: { text: 'Down', good: 'lower', Icon: TrendingDown },
} as const;

/** From this change on, a percentage is harder to read than how many times as large the number is. */
const manyPercent = 1000;

/** '20%'; a change that is rounded to 0 is '< 0.1%', and a large increase '112-fold'. */
function sizeText(change: number): string {
  if (change === 0) return '< 0.1%';
  return change < manyPercent
    ? `${formatNumber(change)}%`
    : `${formatNumber(Math.round(1 + change / 100))}-fold`;
}

interface ChangeTextProps {
  change: Change;
  good: GoodDirection;
  /** Day of the snapshot; null without one. */
  comparedWith: string | null;
}

/** The change of a number in words and with an icon, and whether it is good: 'Up 20%, worse since Oct 23'. */
export function ChangeText({ change: { change, changeType }, good, comparedWith }: ChangeTextProps) {
  const goodText = `${good} is better`;
  if (comparedWith === null) return <p className="text-sm text-muted">No earlier number, {goodText}</p>;
  const since = `since ${shortDay(comparedWith)}`;
  if (changeType === 'none') {
    return (
      <p className="flex items-start gap-1 text-sm text-muted">
        <Minus aria-hidden size={14} className="mt-0.75 shrink-0" />
        <span>No change, {goodText}</span>
      </p>
    );
  }
  const { text, Icon, good: goodIf } = directions[changeType];
  const isBetter = goodIf === good;
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
      <span
        className={`flex items-center gap-1 font-medium tabular-nums ${isBetter ? 'text-success' : 'text-danger'}`}
      >
        <Icon aria-hidden size={14} className="shrink-0" />
        {text} {sizeText(change)}, {isBetter ? 'better' : 'worse'}
      </span>
      {since}
    </p>
  );
}
