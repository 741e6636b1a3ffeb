import {
  overallRisk,
  overallRiskWeights,
  type RiskCount,
  riskCounts,
  type RiskWeights,
} from './overall-risk.ts';

/** Why a count changed. */
export interface CountFlow {
  readonly count: RiskCount;
  /** Such as `found`, `fixed`, `deleted`. */
  readonly cause: string;
  /** Rows that the cause added to the count, or took from it. */
  readonly rows: number;
}

/** What the rows of a cause are. */
export type ChangedNoun = 'vulnerabilities' | 'threats' | 'assets';

const nouns = {
  totalThreats: 'threats',
  openVulnerabilities: 'vulnerabilities',
  newVulnerabilities: 'vulnerabilities',
  assetsAtRisk: 'assets',
} as const satisfies Record<RiskCount, ChangedNoun>;

/** One cause of a change of a score. */
export interface ChangeCause {
  /** Undefined for the parts of the calculation: `formula`, `rounding` and `cap`. */
  readonly noun: ChangedNoun | undefined;
  readonly cause: string;
  /** Rows, signed; 0 for a part of the calculation. A new vulnerability is open too and counts once. */
  readonly rows: number;
  /** Points of the score, signed. */
  readonly delta: number;
}

/** Rows of a count whose cause is not recorded. */
export const unrecorded = 'unrecorded';

/** The counts of a day, and the weights of the formula that applied on it (default: those of today). */
export interface RiskState {
  readonly counts: Readonly<Record<RiskCount, number>>;
  readonly weights?: RiskWeights | undefined;
}

export interface RiskChange {
  readonly from: number;
  readonly to: number;
  /** Add up exactly to `to - from`; each delta differs from 0. The largest first, the parts of the calculation last. */
  readonly causes: readonly ChangeCause[];
}

const byEffect = (one: ChangeCause, other: ChangeCause): number =>
  Math.abs(other.delta) - Math.abs(one.delta) || (one.cause < other.cause ? -1 : 1);

/** The flows of each count, with what they leave unexplained as a flow `unrecorded`. */
function completed(before: RiskState, after: RiskState, flows: readonly CountFlow[]): CountFlow[] {
  return riskCounts.flatMap((count) => {
    const own = flows.filter((flow) => flow.count === count);
    const explained = own.reduce((sum, { rows }) => sum + rows, 0);
    const rows = after.counts[count] - before.counts[count] - explained;
    return rows === 0 ? own : [...own, { count, cause: unrecorded, rows }];
  });
}

/**
 * The causes of the change of the overall risk score between two days. Rows are weighed by the formula of the later day;
 * what the formula itself changed is the cause `formula`. Flows of a count that do not add up to its change leave a cause
 * `unrecorded`, so that the deltas always add up: nothing is invented and nothing is hidden. Weights are halves and
 * counts are whole numbers, so that sums of binary fractions are exact.
 */
export function riskChange(before: RiskState, after: RiskState, flows: readonly CountFlow[]): RiskChange {
  const weights = after.weights ?? overallRiskWeights;
  const [from, to] = [overallRisk(before.counts, before.weights), overallRisk(after.counts, weights)];
  const causes = new Map<string, ChangeCause & { readonly open: number }>();
  for (const { count, cause, rows } of completed(before, after, flows)) {
    const noun = nouns[count];
    const known = causes.get(`${noun} ${cause}`);
    const open = (known?.open ?? 0) + (count === 'newVulnerabilities' ? 0 : rows);
    causes.set(`${noun} ${cause}`, {
      noun,
      cause,
      open,
      rows: open === 0 ? (known?.rows ?? 0) + rows : open,
      delta: (known?.delta ?? 0) + rows * weights[count],
    });
  }
  const calculation = [
    { cause: 'formula', delta: overallRisk(before.counts, weights).sum - from.sum },
    { cause: 'rounding', delta: to.rounding - from.rounding },
    { cause: 'cap', delta: to.cap - from.cap },
  ].map((one): ChangeCause => ({ noun: undefined, rows: 0, ...one }));
  const recorded = [...causes.values()].map(({ noun, cause, rows, delta }): ChangeCause => ({
    noun,
    cause,
    rows,
    delta,
  }));
  return {
    from: from.score,
    to: to.score,
    causes: [...recorded.toSorted(byEffect), ...calculation].filter(({ delta }) => delta !== 0),
  };
}
