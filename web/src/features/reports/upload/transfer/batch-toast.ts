import { batches, type Job } from '@riskboard/contract';
import { call } from '../../../../lib/api/call.ts';
import { followedWork, type FollowedWork } from '../../../../lib/jobs/followed-work.ts';
import { endOfJob } from '../../../../lib/jobs/wait-for-job.ts';
import { toast } from '../../../../ui/feedback/toast.ts';
import {
  batchNotice,
  type EndedUpload,
  interruptionNotice,
  type InterruptedUploads,
} from './batch-notice.ts';
import type { ReadEnd } from './upload.ts';

/** Milliseconds that the toast of a batch waits for the reports to be read; small ones are read by then. */
const readingDelay = 1500;

/** Jobs that are fetched at once after a reload; a larger batch waits for the polls. */
const mostFetchedAtOnce = 20;

/** Shows the toast of a batch, first after a short time and again when all its reports have been read. */
export async function showBatch({ id, data }: FollowedWork, { isResumed = false } = {}): Promise<void> {
  const batch = data as readonly EndedUpload[];
  const ends = new Map<string, ReadEnd>();
  const mayHaveEnded = isResumed && batch.length <= mostFetchedAtOnce;
  const show = () => {
    const notice = batchNotice(batch, ends);
    if (notice !== null) toast[notice.tone](notice.title, notice.description, { id });
  };
  const reading = batch.map(async ({ stored }) => {
    if (stored !== null) ends.set(stored.jobId, await endOfReading(stored.jobId, { mayHaveEnded }));
  });
  const patience = setTimeout(() => followedWork.has(id) && show(), readingDelay);
  await Promise.all(reading);
  clearTimeout(patience);
  if (followedWork.end(id)) show();
}

/** Shows, after a reload, what was received of uploads that it interrupted, and leads to their batch. */
export async function showInterruption({ id, data }: FollowedWork): Promise<void> {
  const uploads = data as InterruptedUploads;
  const { batchId } = uploads;
  const batch =
    batchId === null ? null : await call(batches.get, { params: { id: batchId } }).catch(() => null);
  if (!followedWork.end(id)) return;
  const { tone, title, description } = interruptionNotice(uploads, batch);
  const open = () => location.assign(`/dashboard/batches/${batchId}`);
  toast[tone](title, description, {
    id,
    ...(batch !== null && { action: { label: 'View batch', onClick: open } }),
  });
}

/** Waits until a report was read. The job of a deleted report counts as cancelled. */
export async function endOfReading(jobId: string, options?: { mayHaveEnded: boolean }): Promise<ReadEnd> {
  try {
    return readEnd(await endOfJob(jobId, options));
  } catch {
    return { state: 'cancelled', stixVersion: null, reason: null };
  }
}

function readEnd({ state, result, error }: Job): ReadEnd {
  const stixVersion = result !== null && 'stixVersion' in result ? result.stixVersion : null;
  return {
    state: state === 'failed' || state === 'cancelled' ? state : 'succeeded',
    stixVersion,
    reason: error?.message ?? null,
  };
}
