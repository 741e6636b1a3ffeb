import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import { call, type Session } from './session.ts';

const pollMs = 150;

/** Waits for the end of a job. @throws when it fails or is cancelled */
export async function followJob(
  session: Session,
  id: string,
  onProgress: (progress: Job['progress']) => void,
): Promise<Job> {
  for (;;) {
    const job = await call<Job>(session, { path: `/api/jobs/${id}` });
    if (job.state === 'succeeded') return job;
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new Error(job.error?.message ?? `the job ${job.kind} was cancelled`);
    onProgress(job.progress);
    await sleep(pollMs, undefined, { signal: session.signal });
  }
}
