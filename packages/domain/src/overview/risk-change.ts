import { overallRisk, overallRiskWeights, riskCounts, type RiskCount } from './overall-risk.ts';

/** Why a count changed. */
export interface CountFlow {
  readonly count: RiskCount;
  /** Such as `found`, `fixed`, `deleted`. */
  readonly cause: string;
  /** Rows that the cause added to the count, or took from it. */
  readonly rows: number;
}

/** One cause of a change of the overall risk score. */
export interface RiskCause {
  /** Undefined for rounding and cap. */
  readonly count: RiskCount | undefined;
  readonly cause: string;
  /** Rows of the count; 0 for rounding and cap. */
  readonly rows: number;
  /** Points of the score, signed. */
  readonly delta: number;
}

/** Rows of a count whose cause is not recorded. */
export const unrecorded = 'unrecorded';

export interface RiskChange {
  readonly from: number;
  readonly to: number;
  /** Add up exactly to `to - from`; none has the delta 0. */
  readonly causes: readonly RiskCause[];
}

type Counts = Readonly<Record<RiskCount, number>>;

/**
 * The causes of the change of the overall risk score between two dates. The flows of a count that do not add up to its
 * change leave a cause `unrecorded`, so that the deltas always add up: nothing is invented and nothing is hidden.
 */
export function riskChange(before: Counts, after: Counts, flows: readonly CountFlow[]): RiskChange {
  const [from, to] = [overallRisk(before), overallRisk(after)];
  const causes = riskCounts.flatMap((count): RiskCause[] => {
    const rowsBy = new Map<string, number>();
    for (const flow of flows)
      if (flow.count === count) rowsBy.set(flow.cause, (rowsBy.get(flow.cause) ?? 0) + flow.rows);
    const explained = [...rowsBy.values()].reduce((sum, rows) => sum + rows, 0);
    const missing = after[count] - before[count] - explained;
    if (missing !== 0) rowsBy.set(unrecorded, (rowsBy.get(unrecorded) ?? 0) + missing);
    return [...rowsBy].map(([cause, rows]) => ({
      count,
      cause,
      rows,
      delta: rows * overallRiskWeights[count],
    }));
  });
  const formula = [
    { cause: 'rounding', delta: to.rounding - from.rounding },
    { cause: 'cap', delta: to.cap - from.cap },
  ].map((one): RiskCause => ({ count: undefined, rows: 0, ...one }));
  return {
    from: from.score,
    to: to.score,
    causes: [...causes, ...formula].filter(({ delta }) => delta !== 0),
  };
}
