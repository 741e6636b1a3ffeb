import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, jobs } from '@riskboard/contract';
import type { Api } from '../server/api.ts';
import type { Uploaded } from './send-file.ts';

const pollMs = 300;
const finals: ReadonlySet<Job['state']> = new Set(['succeeded', 'failed', 'cancelled']);

interface Following {
  /** Whether the upload requested an extraction. */
  extracts: boolean;
  signal: AbortSignal;
  onProgress: (job: Job) => void;
}

/** The parse creates the extraction at its end, so there may be none yet. */
function haveEnded(found: readonly Job[], extracts: boolean): boolean {
  if (found.length === 0 || found.some(({ state }) => !finals.has(state))) return false;
  if (found.some(({ state }) => state !== 'succeeded')) return true;
  return !extracts || found.some(({ kind }) => kind === 'stix.extract');
}

/** Waits for the jobs of an upload. @returns them in their final state */
export async function followJobs(api: Api, uploaded: Uploaded, following: Following): Promise<Job[]> {
  const query = new URLSearchParams({ fileId: uploaded._id, sort: 'createdAt', pageSize: '500' });
  for (;;) {
    const reply = await api.get<{ jobs: Job[] }>(`${jobs.list.path}?${query.toString()}`);
    // Ids grow with time: jobs of former uploads of the file are smaller.
    const own = reply.jobs.filter(({ _id }) => _id >= uploaded.jobId);
    if (haveEnded(own, following.extracts)) return own;
    const running = own.find(({ state }) => !finals.has(state));
    if (running) following.onProgress(running);
    await sleep(pollMs, undefined, { signal: following.signal });
  }
}
