import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type JobRow, selectJobs, withOrganization } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';

/** Maximum seconds that a call waits for its job (contract, HTTP). */
const mostSeconds = 30;

/** Seconds of `Prefer: wait=N` (RFC 7240, 4.3) in any case, 0 when absent or invalid. */
export function preferredWait(request: FastifyRequest): number {
  const header = [request.headers.prefer ?? ''].flat().join(',');
  const seconds = Number(/(?:^|[,;\s])wait=("?)(\d{1,4})\1(?:$|[,;\s])/iu.exec(header)?.[2] ?? 0);
  return Math.min(seconds, mostSeconds);
}

/** The job's row once it has finished, the time is over, or the connection of the request is closed. */
export async function waitForJob(
  database: Database,
  job: { organizationId: string; id: string },
  { request, seconds }: { request: Pick<FastifyRequest, 'socket'>; seconds: number },
): Promise<JobRow | undefined> {
  const until = performance.now() + seconds * 1000;
  for (let pause = 20; ; pause = Math.min(250, pause * 1.5)) {
    const row = await withOrganization(database, job.organizationId, (trx) =>
      selectJobs(trx).where('job.id', '=', job.id).executeTakeFirst(),
    );
    if (!row || row.finished_at !== null || performance.now() + pause > until) return row;
    await sleep(pause);
    if (request.socket.destroyed) return row;
  }
}
