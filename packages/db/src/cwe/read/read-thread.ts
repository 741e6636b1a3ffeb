import { parentPort, workerData } from 'node:worker_threads';
import { CatalogueFault, type CatalogueContent } from '../record.ts';
import { parseCatalogue } from './read-catalogue.ts';

/** The answer of the thread; `fault` is the message of a CatalogueFault. */
export type CatalogueReply = { content: CatalogueContent } | { fault: string };

/** The limits of the readers are checked after each part. */
const partBytes = 64 * 1024;

async function* parts(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += partBytes) yield file.subarray(at, at + partBytes);
}

async function answer(file: Uint8Array, fileName: string): Promise<CatalogueReply> {
  try {
    return { content: await parseCatalogue(parts(file), fileName) };
  } catch (error) {
    if (error instanceof CatalogueFault) return { fault: error.message };
    throw error;
  }
}

const { file, fileName } = workerData as { file: Uint8Array; fileName: string };
parentPort?.postMessage(await answer(file, fileName));
