import type { ExtractKind, Reply, reports } from '@riskboard/contract';

export type UploadReply = Reply<typeof reports.upload>;

/**
 * `chosen` waits for the person, `clash` for the answer to the overwrite question, `waiting` for a free slot;
 * `kept` left the stored report alone. `refused` never leaves the browser.
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

/** One file on its way from a person to the server. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  /** Bytes that left the browser, 0 to `file.size`. */
  readonly sent: number;
  /** Why it was refused or failed. */
  readonly reason: string | null;
  /** What the server is asked to extract once the report is read. */
  readonly extract: readonly ExtractKind[];
  readonly reply: UploadReply | null;
}

export const isOpen = (upload: Upload): boolean => upload.state === 'waiting' || upload.state === 'sending';

export const isRetryable = (upload: Upload): boolean =>
  upload.state === 'failed' || upload.state === 'cancelled';

/** Names are compared without case (spec 4, Upload result action). */
export const nameKey = (name: string): string => name.toLowerCase();

export interface UploadTotals {
  readonly files: number;
  readonly chosen: number;
  readonly open: number;
  readonly stored: number;
  readonly failed: number;
  readonly refused: number;
  /** Bytes of everything that was or will be sent. */
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

/** Adds up a list of uploads; refused, cancelled and kept files are no part of the bytes to send. */
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

/** What an upload of a report accepts (spec 5, Uploads). */
export const acceptedExtensions = ['.json', '.xml'] as const;

interface Known {
  /** Keys of the names that are in the list already. */
  readonly names: ReadonlySet<string>;
  /** Bytes of the smallest file that the server answered with 413; Infinity until it did. */
  readonly tooLargeFrom: number;
  /** What the server said about it. */
  readonly tooLargeReason: string;
}

/** Why a file cannot be uploaded, known before a byte is sent; null when nothing speaks against it. */
export function refusalOf(file: Pick<File, 'name' | 'size'>, known: Known): string | null {
  const name = nameKey(file.name);
  if (!acceptedExtensions.some((extension) => name.endsWith(extension))) {
    return 'Only .json and .xml files are accepted.';
  }
  if (file.size === 0) return 'The file is empty.';
  if (file.size >= known.tooLargeFrom) return known.tooLargeReason;
  if (known.names.has(name)) return 'A file of this name is already in the list.';
  return null;
}
