import type { ExtractKind, Reply, reports } from '@riskboard/contract';
import { reportName } from '@riskboard/domain';
import { sizeOf } from './file-size.ts';

export type UploadReply = Reply<typeof reports.upload>;

/**
 * `chosen` waits for the user to start the upload, `clash` for the answer to the overwrite question, `waiting` for a free
 * slot; `unreadable` was stored, but reading it failed; `kept` did not replace the stored report; `refused` was not sent;
 * `superseded` was not sent in favor of a later file of its name.
 */
const uploadStates = [
  'chosen',
  'refused',
  'clash',
  'waiting',
  'sending',
  'stored',
  'unreadable',
  'failed',
  'cancelled',
  'kept',
  'superseded',
] as const;
export type UploadState = (typeof uploadStates)[number];

/** One file of the upload list. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  /** Bytes sent, 0 to `file.size`. */
  readonly sent: number;
  /** Why the file was refused, failed or is unreadable. */
  readonly reason: string | null;
  /** The upload failed or was cancelled, and sending the same file again can succeed. */
  readonly canRetry: boolean;
  /** The stored report of this name that the overwrite question was about. */
  readonly existingId: string | null;
  /** What the server extracts once the report is read. */
  readonly extract: readonly ExtractKind[];
  readonly reply: UploadReply | null;
  /** The batch that it is sent into. */
  readonly batchId: string | null;
}

export const isOpen = (upload: Upload): boolean => upload.state === 'waiting' || upload.state === 'sending';

/** Whether the user has to start the upload or answer its overwrite question. */
export const isUnanswered = ({ state }: Upload): boolean => state === 'chosen' || state === 'clash';

/** Whether sending the file again can help: not for one that was refused for its content, or whose batch was cancelled. */
export const isRetryable = ({ state, canRetry }: Upload): boolean =>
  (state === 'cancelled' || state === 'failed') && canRetry;

/** Whether a newer file of the same name may take over the row: this one was not stored and is not being sent. */
export const isReplaceable = ({ state }: Upload): boolean =>
  state === 'failed' || state === 'cancelled' || state === 'kept' || state === 'superseded';

const isFailure = ({ state }: Upload): boolean =>
  state === 'failed' || state === 'unreadable' || state === 'refused';

/** The uploads as the list shows them: failures first, each group in the order of the files. */
export const failuresFirst = (uploads: readonly Upload[]): Upload[] => [
  ...uploads.filter(isFailure),
  ...uploads.filter((upload) => !isFailure(upload)),
];

/** The report of a finished upload: the stored one, or the existing one that was kept. */
export const reportIdOf = ({ state, reply, existingId }: Upload): string | null =>
  state === 'kept' ? existingId : (reply?._id ?? null);

/** How reading a stored report ended; `reason` says why it failed. */
export interface ReadEnd {
  readonly state: 'succeeded' | 'failed' | 'cancelled';
  readonly stixVersion: string | null;
  readonly reason: string | null;
}

/** Names are compared as the server stores them, without case (spec 4, Upload result action). */
export const nameKey = (name: string): string => reportName(name).toLowerCase();

/** Whether a batch has received a file. @param received sizes of the files of the batch, by `nameKey` */
export const isReceived = ({ file }: Upload, received: ReadonlyMap<string, number> | undefined): boolean =>
  received?.get(nameKey(file.name)) === sizeOf(file);

export interface UploadTotals {
  readonly files: number;
  readonly chosen: number;
  readonly open: number;
  readonly stored: number;
  /** Stored files that could not be read. */
  readonly unreadable: number;
  readonly failed: number;
  /** Failed files for which sending them again can help. */
  readonly retryable: number;
  readonly refused: number;
  readonly cancelled: number;
  /** Bytes of all files that were or will be sent. */
  readonly bytes: number;
  readonly sent: number;
}

const counted = {
  chosen: 'chosen',
  clash: 'open',
  waiting: 'open',
  sending: 'open',
  stored: 'stored',
  unreadable: 'unreadable',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
  kept: null,
  superseded: null,
} as const satisfies Record<UploadState, keyof UploadTotals | null>;

/** Totals of a list of uploads; refused, chosen, cancelled, kept and superseded files do not count towards the bytes. */
export function totalsOf(uploads: readonly Upload[]): UploadTotals {
  const totals = {
    files: uploads.length,
    chosen: 0,
    open: 0,
    stored: 0,
    unreadable: 0,
    failed: 0,
    retryable: 0,
    refused: 0,
    cancelled: 0,
    bytes: 0,
    sent: 0,
  };
  for (const upload of uploads) {
    const counter = counted[upload.state];
    if (counter === null) continue;
    totals[counter] += 1;
    if (counter === 'failed' && isRetryable(upload)) totals.retryable += 1;
    if (counter === 'refused' || counter === 'chosen' || counter === 'cancelled') continue;
    totals.bytes += sizeOf(upload.file);
    if (counter !== 'failed') totals.sent += counter === 'open' ? upload.sent : sizeOf(upload.file);
  }
  return totals;
}

/** File name extensions of reports (spec 5, Uploads). */
export const acceptedExtensions = ['.json', '.xml'] as const;

/** CSV files have an import of their own. */
export const isCsv = ({ name }: Pick<File, 'name'>): boolean => nameKey(name).endsWith('.csv');

interface UploadLimits {
  /** Size in bytes of the smallest file that the server refused with 413; Infinity before that. */
  readonly tooLargeFrom: number;
  /** Message of that 413. */
  readonly tooLargeReason: string;
}

/** Why a file cannot be uploaded, as far as the browser knows; null when it can. */
export function refusalOf(file: Pick<File, 'name' | 'size'>, limits: UploadLimits): string | null {
  const name = nameKey(file.name);
  if (isCsv(file)) {
    return 'Only .json and .xml files are accepted. Import CSV files from the assets or vulnerabilities page.';
  }
  if (!acceptedExtensions.some((extension) => name.endsWith(extension))) {
    return 'Only .json and .xml files are accepted.';
  }
  if (file.size === 0) return 'The file is empty.';
  if (file.size >= limits.tooLargeFrom) return limits.tooLargeReason;
  return null;
}
