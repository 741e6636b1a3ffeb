import type { ExtractResult, Job } from '@riskboard/contract';
import { call } from '../../lib/api/call.ts';
import { endOfJob } from '../../lib/jobs/wait-for-job.ts';
import { extractions, type Extraction } from './extraction.ts';

/** A small report is done within this; a longer wait would hold one of the browser's few connections. */
const waitSeconds = 2;

/**
 * Extracts from a report and waits for the result, however long the job takes.
 * @throws with the server's text when the job fails or is cancelled
 */
export async function extract(fileId: string, extraction: Extraction): Promise<ExtractResult> {
  const reply = await call(extractions[extraction].endpoint, {
    body: { id: fileId },
    headers: { prefer: `wait=${waitSeconds}` },
  });
  if ('result' in reply) return reply.result;
  return resultOf(await endOfJob(reply.jobId));
}

function resultOf(job: Job): ExtractResult {
  if (job.state === 'cancelled') throw new Error('The extraction was cancelled.');
  if (job.state === 'failed' || job.result === null || !('created' in job.result)) {
    throw new Error(job.error?.message ?? 'Please try again.');
  }
  return job.result;
}
