import { isConnectionError } from '@riskboard/operation';
import type { Deps } from '../deps.ts';
import { reportError } from '../jobs/run/publish.ts';

/** What rounds report failures to, and what ends them early. */
export type RoundDeps = Pick<Deps, 'log' | 'outages' | 'stopping'>;

/** What is logged when it fails, such as 'old batches not deleted', and the work. */
export type Step = readonly [failure: string, work: () => Promise<unknown>];

/**
 * Runs the steps of a round one after the other. One that fails is logged and left to the next round, and the others
 * follow. The round ends early when PostgreSQL does not answer or the worker stops.
 */
export async function runSteps(deps: RoundDeps, steps: readonly Step[]): Promise<void> {
  for (const [failure, work] of steps) {
    if (deps.stopping?.aborted) return;
    try {
      await work();
    } catch (err) {
      reportError(deps, err, failure);
      if (isConnectionError(err)) return;
    }
  }
}
