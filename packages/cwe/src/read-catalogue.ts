import { availableMemory } from 'node:process';
import { Worker } from 'node:worker_threads';
import { createInflateRaw } from 'node:zlib';
import { CatalogueFault, type CatalogueContent } from './catalogue.ts';
import type { CatalogueReply, CatalogueRequest, CatalogueResult } from './read-thread.ts';
import { CatalogueJsonReader } from './read-json.ts';
import { CatalogueXmlReader } from './read-xml.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** MITRE's XML has 15 MB; a ZIP file may expand to this. */
const mostBytes = 128 * 1024 * 1024;
/** All of MITRE's JSON has about 20 MB. */
const mostJsonBytes = 64 * 1024 * 1024;

/** The first bytes of a stream, and a stream with them. */
async function peek(bytes: Bytes, count: number): Promise<{ head: Buffer; all: Bytes }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { head, all: all() };
}

/** Local file header of a ZIP file (PKWARE APPNOTE 4.3.7). */
const zipMark = Buffer.from('PK\u0003\u0004', 'latin1');
const headerBytes = 30;
const deflate = 8;

/** The first file of a ZIP file, as MITRE packs its download. @throws CatalogueFault when it cannot be unpacked */
async function* unzip(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(bytes, headerBytes);
  if (head.length < headerBytes || head.readUInt16LE(8) !== deflate || (head.readUInt16LE(6) & 1) === 1)
    throw new CatalogueFault('The ZIP file cannot be unpacked. Unpack it and upload the XML file in it.');
  let skip = headerBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  const inflate = createInflateRaw();
  const feed = (async () => {
    for await (const chunk of all) {
      const rest = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - rest.length;
      // The stream ends with the compressed file; the directory behind it is not read.
      if (inflate.writableEnded || inflate.destroyed || inflate.readableEnded) continue;
      if (rest.length > 0 && !inflate.write(rest))
        await new Promise<void>((resolve) => {
          const settle = () => {
            inflate.off('drain', settle).off('end', settle).off('close', settle);
            resolve();
          };
          inflate.on('drain', settle).on('end', settle).on('close', settle);
        });
    }
    inflate.end();
  })().catch((error: Error) => void inflate.destroy(error));
  let size = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw new CatalogueFault('The unpacked file is larger than 128 MiB.');
      yield chunk;
    }
    await feed;
  } catch (cause) {
    const isDamage = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
    if (!isDamage) throw cause;
    throw new CatalogueFault('The ZIP file is damaged.', { cause });
  }
}

async function readXml(bytes: Bytes, versionOfName: string | undefined): Promise<CatalogueContent> {
  const reader = new CatalogueXmlReader();
  for await (const chunk of bytes) reader.push(chunk);
  return reader.end(versionOfName);
}

const byteOrderMark = Buffer.from('\uFEFF');

async function readJson(bytes: Bytes, versionOfName: string | undefined): Promise<CatalogueContent> {
  const reader = new CatalogueJsonReader();
  let size = 0;
  for await (const chunk of bytes) {
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    reader.push(size === 0 && part.indexOf(byteOrderMark) === 0 ? part.subarray(byteOrderMark.length) : part);
    size += chunk.length;
    if (size > mostJsonBytes) throw new CatalogueFault('The JSON is larger than 64 MiB.');
  }
  return reader.end(versionOfName);
}

/**
 * Reads a catalogue: MITRE's XML download, also as its ZIP file, or JSON of the CWE REST API. The kind is found from the
 * first bytes.
 * @param fileName supplies the version where the content has none, as in cwec_v4.15.xml
 * @throws CatalogueFault with the line or the path
 */
export async function parseCatalogue(bytes: Bytes, fileName: string): Promise<CatalogueContent> {
  const versionOfName = /(\d+(?:\.\d+){1,3})/u.exec(fileName)?.[1];
  const { head, all } = await peek(bytes, 64);
  const unpacked = head.subarray(0, zipMark.length).equals(zipMark)
    ? await peek(unzip(all), 64)
    : { head, all };
  const start = unpacked.head
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .trimStart();
  if (start.startsWith('<')) return readXml(unpacked.all, versionOfName);
  if (start.startsWith('{')) return readJson(unpacked.all, versionOfName);
  throw new CatalogueFault('The file is neither XML, a JSON object nor a ZIP file.');
}

/**
 * MiB of the heap of the thread: half of what is available, as far as it may have. What the limits of the readers allow needs
 * less than the least.
 */
const heap = { least: 160, most: 512, share: 0.5 } as const;
const timeoutMs = 60_000;

const tooComplex = (cause?: unknown): CatalogueFault =>
  new CatalogueFault('The file is too complex to be read.', { cause });

/** Without a limit of its own, the young generation takes up to 50 MiB more. */
function threadLimits() {
  const free = (availableMemory() / 1024 / 1024) * heap.share;
  const maxOldGenerationSizeMb = Math.round(Math.min(heap.most, Math.max(heap.least, free)));
  return { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 8 };
}

/** Sends the parts of a file to the thread, each when it asks for it, so that neither keeps the file. */
function sendParts(
  thread: Worker,
  bytes: Bytes,
  onError: (error: unknown) => void,
): AsyncIterator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const send = async (): Promise<void> => {
    const next = await iterator.next();
    const request: CatalogueRequest = next.done === true ? {} : { part: next.value };
    thread.postMessage(request);
  };
  thread.on('message', (reply: CatalogueReply) => {
    if ('next' in reply) send().catch(onError);
  });
  return iterator;
}

/**
 * Reads the file of a user as parseCatalogue does, in a thread of its own: the event loop is blocked neither by the
 * parser nor by the validation.
 * @throws CatalogueFault with the line or the path, and for a file that takes too much time or memory
 */
export async function readCatalogue(file: Bytes, fileName: string): Promise<CatalogueContent> {
  const thread = new Worker(new URL('read-thread.ts', import.meta.url), {
    workerData: { fileName },
    resourceLimits: threadLimits(),
  });
  const { promise, resolve, reject } = Promise.withResolvers<CatalogueResult>();
  const timer = setTimeout(() => reject(tooComplex()), timeoutMs);
  thread.on('message', (reply: CatalogueReply) => {
    if (!('next' in reply)) resolve(reply);
  });
  const parts = sendParts(thread, file, reject);
  thread.once('error', (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex(error) : error),
  );
  try {
    const reply = await promise;
    if ('fault' in reply) throw new CatalogueFault(reply.fault);
    return reply.content;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
    await parts.return?.();
  }
}
