import type { Batch } from '@riskboard/contract';
import { listVersions, formatCount, plural } from '@riskboard/domain';
import { nameText } from '../../../../lib/format/name-text.ts';
import { isOpen, type ReadEnd, type Upload, type UploadReply } from './upload.ts';

/** An upload of a batch that has ended: plain data, because its toast outlives a reload of the page. */
export interface EndedUpload {
  readonly name: string;
  /** Null when the upload failed or was cancelled. */
  readonly stored: Pick<UploadReply, 'action' | '_id' | 'jobId'> | null;
  /** Why the upload failed; null also when it was cancelled. */
  readonly reason: string | null;
}

/** Uploads that a reload cancelled while some of them were open: plain data too. */
export interface InterruptedUploads {
  /** Null when they were too few for a batch. */
  readonly batchId: string | null;
  readonly files: number;
  /** Files whose upload had been answered; the server may have received more. */
  readonly received: number;
}

/** What a reload interrupts; null when no upload is open. @param ended the other uploads of the same start */
export function interruptedUploads(
  all: readonly Upload[],
  ended: readonly Upload[],
): InterruptedUploads | null {
  const open = all.filter((upload) => isOpen(upload) || upload.state === 'clash');
  if (open.length === 0) return null;
  const others = endedUploads(ended).filter((upload) => !isCancelled(upload));
  return {
    batchId: open.findLast(({ batchId }) => batchId !== null)?.batchId ?? null,
    files: open.length + others.length,
    received: others.filter(({ stored }) => stored !== null).length,
  };
}

/** The uploads of a batch that the toast is about: neither kept nor refused ones. */
export const endedUploads = (batch: readonly Upload[]): EndedUpload[] =>
  batch
    .filter(({ reply, state }) => reply !== null || state === 'failed' || state === 'cancelled')
    .map(({ file, reply, state, reason }) => ({
      name: file.name,
      stored: reply && { action: reply.action, _id: reply._id, jobId: reply.jobId },
      reason: state === 'failed' ? (reason ?? 'Please try again.') : null,
    }));

interface Notice {
  readonly tone: 'success' | 'info' | 'error';
  readonly title: string;
  readonly description: string;
}

/** How reading the stored reports ended, by job; a job that is missing has not ended. */
type ReadEnds = ReadonlyMap<string, ReadEnd>;

/**
 * Text of the toast after a batch of uploads: the texts of spec 8 for one file, totals for several. A file counts as
 * created or replaced once it was read. Null when no file was sent.
 */
export function batchNotice(batch: readonly EndedUpload[], ends: ReadEnds): Notice | null {
  const [first] = batch;
  if (first === undefined || batch.every(isCancelled)) return null;
  if (batch.length === 1)
    return first.stored === null ? failure(first) : outcome(first.name, first.stored, ends);
  const count = (matches: (upload: EndedUpload) => boolean) => batch.filter(matches).length;
  const end = ({ stored }: EndedUpload) => (stored === null ? undefined : ends.get(stored.jobId)?.state);
  const done = (action: UploadReply['action']) => (upload: EndedUpload) =>
    upload.stored?.action === action && end(upload) === 'succeeded';
  const sums = {
    created: count(done('created')),
    replaced: count(done('replaced')),
    'being read': count((upload) => upload.stored !== null && end(upload) === undefined),
    'could not be read': count((upload) => end(upload) === 'failed'),
    'reading cancelled': count((upload) => end(upload) === 'cancelled'),
    failed: count(({ reason }) => reason !== null),
    'not sent': count(isCancelled),
  };
  return {
    ...titleOf(sums),
    description: `${Object.entries(sums)
      .filter(([, sum]) => sum > 0)
      .map(([what, sum]) => `${formatCount(sum)} ${what}`)
      .join(', ')}.`,
  };
}

/**
 * Text of the toast after an interruption.
 * @param batch with its own counts, which include files that were received after the page had ended; null when there is
 * none, or when it cannot be read
 */
export function interruptionNotice(uploads: InterruptedUploads, batch: Batch | null): Notice {
  const received = batch?.files ?? uploads.received;
  const files = Math.max(received, batch?.planned?.files ?? uploads.files);
  const counts = `${formatCount(received)} of ${plural(files, 'file')} ${received === 1 ? 'was' : 'were'} received.`;
  const advice = received === files ? '' : ' Upload the missing ones again.';
  return { tone: 'error', title: 'Upload interrupted', description: `${counts}${advice}` };
}

const isCancelled = ({ stored, reason }: EndedUpload): boolean => stored === null && reason === null;

interface Sums {
  readonly failed: number;
  readonly 'could not be read': number;
  readonly 'reading cancelled': number;
  readonly 'not sent': number;
}

function titleOf(sums: Sums): Pick<Notice, 'tone' | 'title'> {
  if (sums.failed > 0) return { tone: 'error', title: 'Failed to upload some reports' };
  if (sums['could not be read'] > 0) return { tone: 'error', title: 'Some reports could not be read' };
  if (sums['not sent'] > 0) return { tone: 'info', title: 'Upload cancelled' };
  if (sums['reading cancelled'] > 0) return { tone: 'info', title: 'Reading cancelled' };
  return { tone: 'success', title: 'STIX reports uploaded' };
}

const failure = ({ name, reason }: EndedUpload): Notice => ({
  tone: 'error',
  title: 'Failed to upload report',
  description: `${nameText(name)}: ${reason ?? 'Please try again.'}`,
});

function outcome(
  name: string,
  { action, _id, jobId }: NonNullable<EndedUpload['stored']>,
  ends: ReadEnds,
): Notice {
  const end = ends.get(jobId);
  if (end?.state === 'failed') {
    const description = `${name}: ${end.reason ?? 'Correct the file and upload it again.'}`;
    return { tone: 'error', title: 'Report could not be read', description };
  }
  return { tone: 'success', title: `STIX ${action}`, description: `ID ${_id} · ${versionText(end)}` };
}

function versionText(end: ReadEnd | undefined): string {
  if (end === undefined) return 'being read';
  if (end.state === 'cancelled') return 'reading cancelled';
  return end.stixVersion === null ? 'version unknown' : `version ${listVersions(end.stixVersion)}`;
}
