import type { JobRow } from '@riskboard/db';
import type { Deps } from '../../deps.ts';

/** How a run of a job ended. */
export interface RunEnd {
  /**
   * `retrying`: an error, tried again; `waiting`: for a lock or for free space; `returned`: the worker closed;
   * `superseded`: cancelled, deleted or taken over.
   */
  outcome: 'succeeded' | 'failed' | 'retrying' | 'waiting' | 'returned' | 'superseded';
  result?: unknown;
  /** Code of the error; its message may quote the report. */
  code?: string | undefined;
}

/** The numbers of a result; texts may quote the report. */
const countsOf = (result: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(result ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );

/** Returns the function that logs one line for the run of a job, and counts it. */
export function runReport(
  { log, onRunEnd }: Pick<Deps, 'log' | 'onRunEnd'>,
  job: JobRow,
): (end: RunEnd) => void {
  const startedAt = performance.now();
  return ({ outcome, result, code }) => {
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const fields = {
      jobId: job.id,
      kind: job.kind,
      organizationId: job.organization_id,
      fileId: job.file_id ?? undefined,
      requestId: job.request_id ?? undefined,
      attempt: job.attempt,
      seconds,
      outcome,
      code,
      ...(outcome === 'succeeded' ? { counts: countsOf(result) } : {}),
    };
    log[outcome === 'failed' ? 'warn' : 'info'](fields, `job ${outcome}`);
    onRunEnd?.({ kind: job.kind, outcome, seconds });
  };
}
