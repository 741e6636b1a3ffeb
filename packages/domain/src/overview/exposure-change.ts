import { exact } from '../decimal.ts';
import { type ChangeCause, unrecorded } from './risk-change.ts';

/** Vulnerabilities with a severity: how many, and the sum of their severities (0-10 each). */
export interface ExposureTotal {
  readonly count: number;
  readonly sum: number;
}

/** What a cause added to the open vulnerabilities with a severity, or took from them. */
export interface ExposureFlow extends ExposureTotal {
  readonly cause: string;
}

export interface ExposureChange {
  /** Mean severity, 0-10, three decimals; null without an open vulnerability that has a severity. */
  readonly from: number | null;
  readonly to: number | null;
  /**
   * Three decimals each, except for `rounding`, which comes last and closes the sum: added up in this order as binary
   * fractions they are exactly `to - from`, where null counts as 0.
   */
  readonly causes: readonly ChangeCause[];
}

const unit = 1000;
const rounded = (value: number): number => Math.round(exact(value * unit)) / unit;
const meanOf = ({ count, sum }: ExposureTotal): number => (count === 0 ? 0 : sum / count);

/** Mean severity, 0-10, three decimals; null without a vulnerability. */
export const exposureMean = (total: ExposureTotal): number | null =>
  total.count === 0 ? null : rounded(meanOf(total));

/** Smallest part of a severity; sums of decimals differ by less because of binary fractions. */
const severityUnit = 1e-6;

function byCause(flows: readonly ExposureFlow[], missing: ExposureTotal): ExposureFlow[] {
  const causes = new Map<string, ExposureFlow>();
  const isMissing = missing.count !== 0 || Math.abs(missing.sum) > severityUnit;
  for (const { cause, count, sum } of isMissing ? [...flows, { cause: unrecorded, ...missing }] : flows) {
    const known = causes.get(cause) ?? { count: 0, sum: 0 };
    causes.set(cause, { cause, count: known.count + count, sum: known.sum + sum });
  }
  return [...causes.values()];
}

/**
 * The causes of the change of the mean severity of the open vulnerabilities between two days. A cause that changes count
 * and sum by dN and dS changes the mean M = S / N by (dS - M1 dN) / N2, which adds up to M2 - M1 over all causes. Without
 * a vulnerability on the earlier day M1 is 0, so that a cause adds dS / N2. Without one on the later day M2 is 0 and a
 * cause adds dS / N1, which adds up to -M1.
 */
export function exposureChange(
  before: ExposureTotal,
  after: ExposureTotal,
  flows: readonly ExposureFlow[],
): ExposureChange {
  const changed = {
    count: flows.reduce((all, { count }) => all + count, 0),
    sum: flows.reduce((all, { sum }) => all + sum, 0),
  };
  const missing = {
    count: after.count - before.count - changed.count,
    sum: after.sum - before.sum - changed.sum,
  };
  const [divisor, mean] = after.count === 0 ? [before.count, 0] : [after.count, meanOf(before)];
  const causes =
    divisor === 0
      ? []
      : byCause(flows, missing)
          .map(({ cause, count, sum }): ChangeCause => ({
            noun: 'vulnerabilities',
            cause,
            rows: count,
            delta: rounded((sum - mean * count) / divisor),
          }))
          .filter(({ delta }) => delta !== 0)
          .toSorted((one, other) => Math.abs(other.delta) - Math.abs(one.delta));
  const [from, to] = [exposureMean(before) ?? 0, exposureMean(after) ?? 0];
  const rounding = to - from - causes.reduce((sum, { delta }) => sum + delta, 0);
  return {
    from: exposureMean(before),
    to: exposureMean(after),
    causes: [
      ...causes,
      ...(rounding === 0 ? [] : [{ noun: undefined, cause: 'rounding', rows: 0, delta: rounding }]),
    ],
  };
}
