import { reports } from '@riskboard/contract';
import { useSyncExternalStore } from 'react';
import { call } from '../../../lib/api/call.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { sendReport } from './send-report.ts';
import { createUploadManager, type UploadsState } from './upload-manager.ts';
import type { Upload } from './upload.ts';
import { uploadedEvent } from './uploaded-event.ts';

/** The uploads of this tab: they outlive every page and dialog. */
export const uploads = createUploadManager({
  send: sendReport,
  existing: findExisting,
  checkFailed: () => toast.error('Upload check failed', 'Failed to check existing files'),
  stored: (reply) => window.dispatchEvent(new CustomEvent(uploadedEvent, { detail: reply })),
  settled(batch) {
    const notice = noticeOf(batch);
    if (notice !== null) toast[notice.tone](notice.title, notice.description);
  },
});

export const useUploads = (): UploadsState => useSyncExternalStore(uploads.subscribe, uploads.get);

/** Those of the names that stand for stored reports, compared without case on the server. */
async function findExisting(names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of inRequests(names)) {
    const { files } = await call(reports.files, { query: { name, pageSize: name.length } });
    found.push(...files.map((file) => file.originalFilename));
  }
  return found;
}

/** Names asked in one request: keeps the address below the 8 KiB that servers and proxies take. */
const namesAtOnce = 40;
const longestAddress = 6000;

/** Cuts a list of names into requests that a server can take. */
export function inRequests(names: readonly string[]): string[][] {
  const requests: string[][] = [];
  let current: string[] = [];
  let length = 0;
  for (const name of names) {
    const added = encodeURIComponent(name).length + '&name='.length;
    if (current.length === namesAtOnce || (current.length > 0 && length + added > longestAddress)) {
      requests.push(current);
      current = [];
      length = 0;
    }
    current.push(name);
    length += added;
  }
  if (current.length > 0) requests.push(current);
  return requests;
}

interface Notice {
  readonly tone: 'success' | 'error';
  readonly title: string;
  readonly description: string;
}

/**
 * What a person is told when a batch has ended: the spec's words for one file (spec 8), one sum for many.
 * Null when there is nothing to tell: everything was cancelled or kept.
 */
export function noticeOf(batch: readonly Upload[]): Notice | null {
  const stored = batch.filter((upload) => upload.reply !== null);
  const failed = batch.filter((upload) => upload.state === 'failed');
  if (stored.length === 0 && failed.length === 0) return null;
  const [first] = stored;
  if (stored.length === 1 && failed.length === 0 && first?.reply) {
    const { action, id, stixVersion } = first.reply;
    return {
      tone: 'success',
      title: `STIX ${action}`,
      description: `ID ${id} · version ${stixVersion ?? 'unknown'}`,
    };
  }
  const [failure] = failed;
  if (failed.length === 1 && stored.length === 0 && failure) {
    return {
      tone: 'error',
      title: 'Failed to upload report',
      description: `${failure.file.name}: ${failure.reason ?? 'Please try again.'}`,
    };
  }
  const replaced = stored.filter((upload) => upload.reply?.action === 'replaced').length;
  const sums = [
    [stored.length - replaced, 'created'],
    [replaced, 'replaced'],
    [failed.length, 'failed'],
  ] as const;
  return {
    tone: failed.length === 0 ? 'success' : 'error',
    title: failed.length === 0 ? 'STIX reports uploaded' : 'Failed to upload some reports',
    description: `${sums
      .filter(([count]) => count > 0)
      .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`)
      .join(', ')}.`,
  };
}
