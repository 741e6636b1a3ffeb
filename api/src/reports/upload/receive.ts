import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '@riskboard/db';
import { sniffReport } from '@riskboard/domain';
import { Failure } from '../../lib/http/failure.ts';
import { storeUpload, type UploadedFile } from '../../lib/upload/store-upload.ts';
import { decodeHead, type VersionScan, versionScan } from './version-scan.ts';

/** How much of a report is used to detect its kind. */
const headBytes = 64 * 1024;
/** How much is scanned before other requests have their turn: tags of nothing but namespaces take 0.1 s for a MiB. */
const scannedBytes = 128 * 1024;

export interface Received {
  contentId: string;
  size: number;
  sha256: Buffer;
  media: 'json' | 'xml';
  stixVersion: string | null;
}

/** @throws Failure 422 saying what the file is instead of a report. */
function identify(head: Buffer, complete: boolean): 'json' | 'xml' {
  const sniffed = sniffReport(decodeHead(head), complete);
  if ('refusal' in sniffed)
    throw new Failure('invalid', sniffed.refusal.message, {
      details: [{ path: 'stixFile', message: sniffed.refusal.message }],
    });
  return sniffed.media;
}

/** Hashes a report and looks at its head. @throws Failure 422 for what is no report */
async function readReport(bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let kind: { media: 'json' | 'xml'; scan: VersionScan } | undefined;
  for await (const chunk of bytes) {
    if (!kind) {
      const media = identify(chunk.subarray(0, headBytes), chunk.length <= headBytes);
      kind = { media, scan: versionScan(media, chunk) };
    }
    for (let at = 0; at < chunk.length; at += scannedBytes) {
      if (at > 0) await nextTurn();
      kind.scan.push(chunk.subarray(at, at + scannedBytes));
    }
    hash.update(chunk);
  }
  return { sha256: hash.digest(), media: kind?.media ?? 'json', stixVersion: kind?.scan.end() ?? null };
}

/**
 * Streams an upload into chunks while hashing it and looking at its head.
 * @throws Failure as `storeUpload`, and 422 for what is no report
 */
export async function receiveReport(
  database: Database,
  organizationId: string,
  { file, confirm }: { file: UploadedFile; confirm: () => Promise<void> },
): Promise<Received> {
  const { result, ...stored } = await storeUpload(database, organizationId, {
    file,
    read: readReport,
    confirm,
  });
  return { ...stored, ...result };
}
