import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, jobs } from '@riskboard/contract';
import type { Api } from '../server/api.ts';
import type { Uploaded } from './send-file.ts';

const pollMs = 300;
/** Of the newest jobs of the report: those of the upload, also when others upload the report again meanwhile. */
const pageSize = 100;
const finals: ReadonlySet<Job['state']> = new Set(['succeeded', 'failed', 'cancelled']);

interface Following {
  /** Whether the upload requested an extraction. */
  extracts: boolean;
  signal: AbortSignal;
  onProgress: (job: Job) => void;
}

/** The parse creates the extraction at its end, so there may be none yet. */
function haveEnded(found: readonly Job[], extracts: boolean): boolean {
  if (found.some(({ state }) => !finals.has(state))) return false;
  if (found.some(({ state }) => state !== 'succeeded')) return true;
  return !extracts || found.some(({ kind }) => kind === 'stix.extract');
}

/** Waits for the jobs of an upload. @returns them in their final state; undefined when the report was deleted meanwhile */
export async function followJobs(
  api: Api,
  uploaded: Uploaded,
  following: Following,
): Promise<Job[] | undefined> {
  const query = new URLSearchParams({
    fileId: uploaded._id,
    sort: '-createdAt',
    pageSize: String(pageSize),
  });
  for (;;) {
    const reply = await api.get<{ jobs: Job[] }>(`${jobs.list.path}?${query.toString()}`);
    // Ids grow with time: jobs of former uploads of the file are smaller.
    const own = reply.jobs.filter(({ _id }) => _id >= uploaded.jobId).toReversed();
    // The jobs of a report are deleted with it, and only with it.
    if (own.length === 0) return undefined;
    if (haveEnded(own, following.extracts)) return own;
    const running = own.find(({ state }) => !finals.has(state));
    if (running) following.onProgress(running);
    await sleep(pollMs, undefined, { signal: following.signal });
  }
}
