import type { ExtractKind, Reply, reports } from '@riskboard/contract';
import { reportName } from '@riskboard/domain';

export type UploadReply = Reply<typeof reports.upload>;

/**
 * `chosen` waits for the user to start the upload, `clash` for the answer to the overwrite question, `waiting` for a free
 * slot; `kept` did not replace the stored report; `refused` was not sent.
 */
export const uploadStates = [
  'chosen',
  'refused',
  'clash',
  'waiting',
  'sending',
  'stored',
  'failed',
  'cancelled',
  'kept',
] as const;
export type UploadState = (typeof uploadStates)[number];

/** One file of the upload list. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  /** Bytes sent, 0 to `file.size`. */
  readonly sent: number;
  /** Why the file was refused or failed. */
  readonly reason: string | null;
  /** What the server extracts once the report is read. */
  readonly extract: readonly ExtractKind[];
  readonly reply: UploadReply | null;
}

export const isOpen = (upload: Upload): boolean => upload.state === 'waiting' || upload.state === 'sending';

export const isRetryable = (upload: Upload): boolean =>
  upload.state === 'failed' || upload.state === 'cancelled';

/** Whether a newer file of the same name may take over the row: this one was not stored and is not being sent. */
export const isReplaceable = (upload: Upload): boolean => isRetryable(upload) || upload.state === 'kept';

/** Names are compared as the server stores them, without case (spec 4, Upload result action). */
export const nameKey = (name: string): string => reportName(name).toLowerCase();

export interface UploadTotals {
  readonly files: number;
  readonly chosen: number;
  readonly open: number;
  readonly stored: number;
  readonly failed: number;
  readonly refused: number;
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
  failed: 'failed',
  refused: 'refused',
  cancelled: null,
  kept: null,
} as const satisfies Record<UploadState, keyof UploadTotals | null>;

/** Totals of a list of uploads; refused, chosen, cancelled and kept files do not count towards the bytes. */
export function totalsOf(uploads: readonly Upload[]): UploadTotals {
  const totals = {
    files: uploads.length,
    chosen: 0,
    open: 0,
    stored: 0,
    failed: 0,
    refused: 0,
    bytes: 0,
    sent: 0,
  };
  for (const upload of uploads) {
    const counter = counted[upload.state];
    if (counter === null) continue;
    totals[counter] += 1;
    if (counter === 'refused' || counter === 'chosen') continue;
    totals.bytes += upload.file.size;
    totals.sent += upload.state === 'stored' || upload.state === 'failed' ? upload.file.size : upload.sent;
  }
  return totals;
}

/** File name extensions of reports (spec 5, Uploads). */
export const acceptedExtensions = ['.json', '.xml'] as const;

interface UploadLimits {
  /** Size in bytes of the smallest file that the server refused with 413; Infinity before that. */
  readonly tooLargeFrom: number;
  /** Message of that 413. */
  readonly tooLargeReason: string;
}

/** Why a file cannot be uploaded, as far as the browser knows; null when it can. */
export function refusalOf(file: Pick<File, 'name' | 'size'>, limits: UploadLimits): string | null {
  const name = nameKey(file.name);
  if (!acceptedExtensions.some((extension) => name.endsWith(extension))) {
    return 'Only .json and .xml files are accepted.';
  }
  if (file.size === 0) return 'The file is empty.';
  if (file.size >= limits.tooLargeFrom) return limits.tooLargeReason;
  return null;
}
