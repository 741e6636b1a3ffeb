import { isConnectionError } from '@riskboard/operation';
import type { Deps } from '../deps.ts';
import { reportError } from '../jobs/run/publish.ts';

/** What is logged when it fails, such as 'old batches not deleted', and the work. */
export type Step = readonly [failure: string, work: () => Promise<unknown>];

/**
 * Runs the steps of a round one after the other. One that fails is logged and left to the next round, and the others
 * follow. The round ends early when PostgreSQL does not answer.
 */
export async function runSteps(deps: Pick<Deps, 'log' | 'outages'>, steps: readonly Step[]): Promise<void> {
  for (const [failure, work] of steps) {
    try {
      await work();
    } catch (err) {
      reportError(deps, err, failure);
      if (isConnectionError(err)) return;
    }
  }
}
