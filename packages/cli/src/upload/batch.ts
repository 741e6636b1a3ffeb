import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, batches, type BatchFile } from '@riskboard/contract';
import type { Api } from '../server/api.ts';
import type { FoundFile } from './find-files.ts';

/** More files than this are one batch, with a page of its own in the web. */
export const mostSingleFiles = 10;

const pollMs = 1000;
const pageSize = 500;

const pathOf = ({ path }: { path: string }, id: string): string => path.replace(':id', id);

/** Creates the batch of these files. @returns its id */
export async function openBatch(api: Api, files: readonly FoundFile[]): Promise<string> {
  const name = `${(files[0]?.name ?? '').slice(0, 150)} and ${files.length - 1} more`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const reply = await api.send('POST', batches.create.path, {
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ name, files: files.length, bytes }),
  });
  return ((await reply.json()) as Batch)._id;
}

/** Expects no more files: the batch ends with those that were received. */
export async function closeBatch(
  api: Api,
  id: string,
  request: { signal?: AbortSignal } = {},
): Promise<void> {
  await (await api.send('POST', pathOf(batches.close, id), request)).body?.cancel();
}

interface Following {
  signal: AbortSignal;
  /** `done` of `total` files have ended. */
  onProgress: (done: number, total: number) => void;
}

/** Waits until every file of a batch has ended; a paused batch is waited for. @returns its final totals */
export async function followBatch(api: Api, id: string, { signal, onProgress }: Following): Promise<Batch> {
  for (;;) {
    const batch = await api.get<Batch>(pathOf(batches.get, id));
    if (batch.status === 'finished' || batch.status === 'cancelled') return batch;
    onProgress(batch.files - batch.states.queued - batch.states.running, batch.files);
    await sleep(pollMs, undefined, { signal });
  }
}

/** The results of a batch's files by the id of their report. */
export async function resultsOf(api: Api, id: string): Promise<Map<string, BatchFile>> {
  const results = new Map<string, BatchFile>();
  let cursor: string | null | undefined;
  do {
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      sort: 'name',
      ...(cursor && { cursor }),
    });
    const page = await api.get<{ files: BatchFile[]; nextCursor: string | null }>(
      `${pathOf(batches.files, id)}?${query.toString()}`,
    );
    for (const file of page.files) if (file.fileId !== null) results.set(file.fileId, file);
    cursor = page.nextCursor;
  } while (cursor);
  return results;
}
