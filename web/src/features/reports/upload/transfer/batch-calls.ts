import { batches } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { call } from '../../../../lib/api/call.ts';
import { formatUtc } from '../../../../lib/format/format.ts';
import { sizeOf } from './file-size.ts';
import { nameKey } from './upload.ts';

/** From this many files on an upload is a batch with a page of its own. */
export const batchFrom = 10;

/** Creates the batch of an upload, whose name differs from that of a later upload of the same files. @returns its id */
export async function openBatch(files: readonly File[]): Promise<string> {
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  // In UTC, because readers in every time zone see the same name.
  const name = `${plural(files.length, 'file')}, ${formatUtc(new Date().toISOString())}`;
  const { _id } = await call(batches.create, { body: { name, files: files.length, bytes } });
  return _id;
}

/** Files per call. */
const pageSize = 500;

/** Sizes of the files that a batch has received, by `nameKey`; refused ones are not among them. */
export async function receivedFiles(batchId: string): Promise<Map<string, number>> {
  const received = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const query = { pageSize, sort: 'name', ...(cursor !== undefined && { cursor }) };
    const page = await call(batches.files, { params: { id: batchId }, query });
    for (const { name, size, fileId } of page.files) if (fileId !== null) received.set(nameKey(name), size);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return received;
}

/** Expects no more files; the batch shows it when this fails. */
export async function closeBatch(id: string): Promise<void> {
  try {
    await call(batches.close, { params: { id } });
  } catch {
    // The page of the batch offers to finish it.
  }
}
