import type { JobRow } from '@riskboard/db';
import type { FastifyReply } from 'fastify';
import type { AfterCommit } from './publish.ts';

interface Accepted {
  reply: FastifyReply;
  job: JobRow;
  message: string;
}

/** Enqueues the job, then answers 202 with its URL. */
export async function acceptJob(after: AfterCommit, { reply, job, message }: Accepted) {
  await after.jobsQueued([job]);
  reply.status(202).header('location', `/api/jobs/${job.id}`);
  return { jobId: job.id, message };
}
