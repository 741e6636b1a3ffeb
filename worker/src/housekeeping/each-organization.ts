import { isConnectionError } from '@riskboard/operation';
import { reportError } from '../jobs/run/publish.ts';
import type { RoundDeps } from './steps.ts';

interface Round<Row> {
  /** What to work on, each with the id of its organization. */
  rows: readonly Row[];
  /** What is logged when one fails, such as 'risk reports not mailed'. */
  failure: string;
}

/**
 * Works for one organization after the other. One that fails is logged and left to the next round, and the others follow.
 * The round ends early when PostgreSQL does not answer or the worker stops.
 * @returns the results of those that did not fail
 */
export async function eachOrganization<Row extends { id: string }, T>(
  deps: RoundDeps,
  { rows, failure }: Round<Row>,
  work: (row: Row) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const row of rows) {
    if (deps.stopping?.aborted) break;
    try {
      results.push(await work(row));
    } catch (err) {
      if (isConnectionError(err)) {
        reportError(deps, err, failure);
        break;
      }
      deps.log.warn({ err, organizationId: row.id }, failure);
    }
  }
  return results;
}

/** The same for work that returns how many it did. @returns the sum */
export async function countEachOrganization<Row extends { id: string }>(
  deps: RoundDeps,
  round: Round<Row>,
  work: (row: Row) => Promise<number>,
): Promise<number> {
  const counts = await eachOrganization(deps, round, work);
  return counts.reduce((sum, count) => sum + count, 0);
}
