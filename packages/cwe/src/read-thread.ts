import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogueFault, type CatalogueContent } from './catalogue.ts';
import { parseCatalogue } from './read-catalogue.ts';

/** What the thread read; `fault` is the message of a CatalogueFault. */
export type CatalogueResult = { content: CatalogueContent } | { fault: string };

/** What the thread sends: it asks for the next part of the file until it has the result. */
export type CatalogueReply = { next: true } | CatalogueResult;

/** The answer to `next`; without a part at the end of the file. */
export interface CatalogueRequest {
  part?: Uint8Array;
}

const port = parentPort;
if (port === null) throw new Error('This module is the program of a thread.');

/** The limits of the readers are checked after each part. */
const partBytes = 64 * 1024;

async function* parts(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const answer = once(port as NonNullable<typeof port>, 'message');
    const ask: CatalogueReply = { next: true };
    port?.postMessage(ask);
    const [{ part }] = (await answer) as [CatalogueRequest];
    if (part === undefined) return;
    for (let at = 0; at < part.length; at += partBytes) yield part.subarray(at, at + partBytes);
  }
}

async function read(fileName: string): Promise<CatalogueResult> {
  try {
    return { content: await parseCatalogue(parts(), fileName) };
  } catch (error) {
    if (error instanceof CatalogueFault) return { fault: error.message };
    throw error;
  }
}

const { fileName } = workerData as { fileName: string };
port.postMessage(await read(fileName));
