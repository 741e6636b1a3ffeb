import { batches } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { call } from '../../../../lib/api/call.ts';
import { sizeOf } from './file-size.ts';
import { nameKey } from './upload.ts';

/** From this many files on an upload is a batch with a page of its own. */
export const batchFrom = 10;

/**
 * The name of a batch. Files whose name exists are not part of it: they may be kept instead of sent.
 * @param sent the files that are sent in any case, of `total` files
 * @returns undefined without such a file: the API then names the batch
 */
export function batchName(sent: readonly File[], total: number): string | undefined {
  const [first] = sent;
  if (first === undefined) return undefined;
  const name = first.name.slice(0, 150);
  if (sent.length === total) return `${name} and ${formatCount(total - 1)} more`;
  return sent.length === 1 ? name : `${name} and others`;
}

/**
 * Creates the batch of an upload.
 * @param sent those of the files that are sent in any case
 * @returns its id
 */
export async function openBatch(files: readonly File[], sent: readonly File[]): Promise<string> {
  const name = batchName(sent, files.length);
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  const body = { files: files.length, bytes, ...(name !== undefined && { name }) };
  const { _id } = await call(batches.create, { body });
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
