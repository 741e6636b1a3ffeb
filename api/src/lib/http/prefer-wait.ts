import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type JobRow, selectJobs, withOrganizationSnapshot } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { toFailure } from './error-handler.ts';

/** Maximum seconds that a call waits for its job (contract, HTTP). */
const mostSeconds = 30;

/** Seconds of `Prefer: wait=N` (RFC 7240, 4.3) in any case, 0 when absent or invalid. */
export function preferredWait(request: FastifyRequest): number {
  const header = [request.headers.prefer ?? ''].flat().join(',');
  const seconds = Number(/(?:^|[,;\s])wait=("?)(\d{1,4})\1(?:$|[,;\s])/iu.exec(header)?.[2] ?? 0);
  return Math.min(seconds, mostSeconds);
}

interface JobOfWait {
  organizationId: string;
  id: string;
}

interface WaitingCaller {
  request: Pick<FastifyRequest, 'socket'>;
  seconds: number;
}

/** Reads a job with a slot for reading: a slot for changes may be free only after the locks that other requests wait for. */
const readJob = (database: Database, { organizationId, id }: JobOfWait) =>
  withOrganizationSnapshot(database, organizationId, (trx) =>
    selectJobs(trx).where('job.id', '=', id).executeTakeFirst(),
  );

interface Wait {
  /** Both by performance.now(). */
  began: number;
  /** Absent while it waits. */
  ended?: number;
}

/** The waits of requests for their jobs. */
const waits = new WeakMap<object, Wait>();

/** Milliseconds for which the request has waited for a job; they say nothing about how fast the api is. */
export function waitedMs(request: object): number {
  const wait = waits.get(request);
  // A connection that breaks ends the request before its wait.
  return wait === undefined ? 0 : (wait.ended ?? performance.now()) - wait.began;
}

/**
 * The job's row once it has finished, the time is over, or the connection of the request is closed. A database that is
 * busy or not reachable meanwhile does not fail the request, which has already succeeded: the job is read again.
 */
export async function waitForJob(
  database: Database,
  job: JobOfWait,
  caller: WaitingCaller,
): Promise<JobRow | undefined> {
  const wait: Wait = { began: performance.now() };
  waits.set(caller.request, wait);
  try {
    return await readUntilEnded(database, job, caller);
  } finally {
    wait.ended = performance.now();
  }
}

async function readUntilEnded(
  database: Database,
  job: JobOfWait,
  { request, seconds }: WaitingCaller,
): Promise<JobRow | undefined> {
  const until = performance.now() + seconds * 1000;
  let last: JobRow | undefined;
  for (let pause = 20; ; pause = Math.min(250, pause * 1.5)) {
    try {
      last = await readJob(database, job);
      if (!last || last.finished_at !== null) return last;
    } catch (error) {
      if (toFailure(error)?.code !== 'unavailable') throw error;
    }
    if (performance.now() + pause > until) return last;
    await sleep(pause);
    if (request.socket.destroyed) return last;
  }
}
