import { formatCount } from '../../../lib/format/format.ts';
import { reports } from '@riskboard/contract';
import { reportName } from '@riskboard/domain';
import { useSyncExternalStore } from 'react';
import { call } from '../../../lib/api/call.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { sendReport } from './send-report.ts';
import { createUploadManager, type UploadsState } from './upload-manager.ts';
import type { Upload } from './upload.ts';
import { uploadedEvent } from './uploaded-event.ts';

/** The uploads of this tab, which continue when a page or dialog closes. */
export const uploads = createUploadManager({
  send: sendReport,
  existing: findExisting,
  checkFailed: () => toast.error('Upload check failed', 'Failed to check existing files'),
  stored: (reply) => window.dispatchEvent(new CustomEvent(uploadedEvent, { detail: reply })),
  settled(batch) {
    const notice = batchNotice(batch);
    if (notice !== null) toast[notice.tone](notice.title, notice.description);
  },
});

export const useUploads = (): UploadsState => useSyncExternalStore(uploads.subscribe, uploads.get);

/** Returns those of the names that stored reports have; the server ignores case. */
async function findExisting(names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of toBatches(names.map(reportName))) {
    const { files } = await call(reports.files, { query: { name, pageSize: name.length } });
    found.push(...files.map((file) => file.originalFilename));
  }
  return found;
}

/** Limits for one request: servers and proxies accept URLs of 8 KiB. */
const mostNames = 40;
const longestQuery = 6000;

/** Splits names into batches that each fit into the URL of one request. */
export function toBatches(names: readonly string[]): string[][] {
  const requests: string[][] = [];
  let current: string[] = [];
  let length = 0;
  for (const name of names) {
    const added = encodeURIComponent(name).length + '&name='.length;
    if (current.length === mostNames || (current.length > 0 && length + added > longestQuery)) {
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
 * Text of the toast after a batch of uploads: the texts of spec 8 for one file, totals for several.
 * Null when every file was cancelled or kept.
 */
export function batchNotice(batch: readonly Upload[]): Notice | null {
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
      .map(([count, what]) => `${formatCount(count)} ${what}`)
      .join(', ')}.`,
  };
}
