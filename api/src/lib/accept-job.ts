import type { JobKind, JobResult } from '@riskboard/contract';
import type { JobRow } from '@riskboard/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from './http/failure.ts';
import { preferredWait, waitForJob } from './http/prefer-wait.ts';
import type { AfterCommit } from './publish.ts';

interface Accepted<K extends JobKind, Answer> {
  request: FastifyRequest;
  reply: FastifyReply;
  job: JobRow;
  /** The kind of the job, for the type of its result. */
  kind: K;
  message: string;
  /** The reply when the caller waited for the result. */
  done(this: void, result: JobResult<K>): Answer;
  /** Why the call failed, when the job failed without a message. */
  failed?: string;
}

/**
 * Enqueues the job, then answers 202 with its URL, or 200 with its result when the call has `Prefer: wait` and the job
 * ends in time (contract, HTTP).
 * @throws Failure 409 when the job fails in that time
 */
export async function acceptJob<K extends JobKind, Answer>(
  { deps, after }: { deps: Pick<Deps, 'database'>; after: AfterCommit },
  { request, reply, job, message, done, failed = 'The job failed.' }: Accepted<K, Answer>,
): Promise<Answer | { jobId: string; message: string }> {
  await after.jobsQueued([job]);
  const seconds = preferredWait(request);
  const ended =
    seconds === 0
      ? undefined
      : await waitForJob(
          deps.database,
          { organizationId: job.organization_id, id: job.id },
          { request, seconds },
        );
  if (ended?.state === 'failed') throw new Failure('conflict', ended.error_message ?? failed);
  if (ended?.state === 'succeeded' && ended.result !== null) {
    reply.status(200).header('preference-applied', `wait=${seconds}`);
    return done(ended.result as JobResult<K>);
  }
  reply.status(202).header('location', `/api/jobs/${job.id}`);
  return { jobId: job.id, message };
}
