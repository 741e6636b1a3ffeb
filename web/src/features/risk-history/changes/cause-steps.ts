import { roundToSum } from '@riskboard/domain';
import type { Changes } from '../queries.ts';

type Cause = Pick<Changes['causes'][number], 'code' | 'label' | 'delta' | 'count' | 'query' | 'listed'>;

/** One cause on the way from one score to the other. */
export interface CauseStep extends Cause {
  /** The score before and after it, as shown. */
  readonly start: number;
  readonly end: number;
}

/** Decimals that a score is shown with: causes of the overall risk score are halves. */
export const decimalsOf = { risk: 1, exposure: 3 } as const satisfies Record<Changes['measure'], number>;

/** Differences below this are due to binary fractions. */
const exact = 1e-6;

/**
 * The causes in the order of the reply, each from the score that the one before it has reached. What they leave
 * unexplained is a step of its own; a rounding too small to be shown has no step. The shown numbers lead exactly from
 * the first score to the last.
 */
export function causeSteps(
  measure: Changes['measure'],
  from: number,
  { to, causes }: { to: number; causes: readonly Cause[] },
): CauseStep[] {
  const decimals = decimalsOf[measure];
  const unit = 10 ** decimals;
  const missing = to - from - causes.reduce((sum, { delta }) => sum + delta, 0);
  const all: readonly Cause[] =
    Math.abs(missing) < exact
      ? causes
      : [
          ...causes,
          {
            code: 'unexplained',
            label: 'Not explained',
            delta: missing,
            count: 0,
            query: null,
            listed: null,
          },
        ];
  let reached = Math.round(from * unit);
  const total = (Math.round(to * unit) - reached) / unit;
  const deltas = roundToSum(
    all.map(({ delta }) => delta),
    total,
    decimals,
  );
  const steps = all.map((cause, at) => {
    const delta = deltas[at] ?? 0;
    const start = reached;
    reached += Math.round(delta * unit);
    return { ...cause, delta, start: start / unit, end: reached / unit };
  });
  return steps.filter(({ code, delta }) => code !== 'rounding' || delta !== 0);
}
