import { costRanges, costText } from '@riskboard/domain';
import { formatNumber } from '../../../lib/format/format.ts';
import { Empty } from '../../../ui/text/empty.tsx';

interface CostTextProps {
  /** USD; null when it is not known. */
  amount: number | null;
}

/** A cost in M or K (spec 9, Cost display), with the exact amount on hover and its range. */
export function CostText({ amount }: CostTextProps) {
  if (amount === null) return <Empty />;
  const range = costRanges.find(({ value }) => value === amount);
  return (
    <span title={`${formatNumber(amount)} USD`}>
      <span className="tabular-nums">{costText(amount)}</span>
      {range !== undefined && (
        <span className="text-sm text-muted">
          {' '}
          {range.label}, {range.range}
        </span>
      )}
    </span>
  );
}
