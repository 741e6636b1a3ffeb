import {
  chunkBytes,
  type ContentRef,
  type Database,
  dropContent,
  newId,
  releaseMemory,
  storeChunk,
} from '@riskboard/db';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { Failure, invalidField } from '../http/failure.ts';

/** Cuts a stream into pieces of exactly one chunk, each with memory of its own; the last may be shorter. */
export async function* slices(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let slice = Buffer.allocUnsafeSlow(chunkBytes);
  let length = 0;
  for await (const part of stream) {
    for (let at = 0; at < part.length;) {
      const copied = part.copy(slice, length, at);
      at += copied;
      length += copied;
      if (length < chunkBytes) continue;
      yield slice;
      slice = Buffer.allocUnsafeSlow(chunkBytes);
      length = 0;
    }
  }
  if (length > 0) yield slice.subarray(0, length);
}

type Parts = AsyncIterableIterator<Multipart>;

/** The file of a form, past the fields before it. */
export async function firstFile(parts: Parts): Promise<MultipartFile | undefined> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next())
    if (next.value.type === 'file') return next.value;
  return undefined;
}

/** Characters of a file name that forms encode (HTML, multipart/form-data encoding algorithm). */
const encodedInNames: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** A file of a form, and what follows it. */
export interface UploadedFile {
  field: string;
  /** As its sender has it; empty without one. */
  name: string;
  part: MultipartFile;
  rest: Parts;
}

/** The file of a form. @throws Failure 422 without a file in this field */
export async function uploadedFile(parts: Parts, field: string): Promise<UploadedFile> {
  const part = await firstFile(parts);
  if (!part) throw invalidField(field, 'Choose a file to upload.');
  // Undefined for a part without a name, other than its type says.
  const sent: string | undefined = part.fieldname;
  if (sent !== field) {
    const other = sent === undefined ? 'a part without a name' : sent.slice(0, 50);
    throw invalidField(field, `Send the file in the field ${field}, not ${other}.`);
  }
  const name = (part.filename ?? '').replaceAll(/%(?:22|0D|0A)/gu, (code) => encodedInNames[code] ?? code);
  return { field, name, part, rest: parts };
}

/** The answer to a file beyond its limit, which it names. */
export const tooLarge = (maxBytes: number): Failure =>
  new Failure('too_large', `The file is too large; it may have at most ${maxBytes / 2 ** 20} MiB.`);

export interface StoredUpload<T> {
  contentId: string;
  size: number;
  /** What `read` returned. */
  result: T;
}

/**
 * Streams an upload into chunks, chunk by chunk: while one is stored, `read` looks at it and the next one is received. It needs
 * a few MiB of memory for a file of any size. `read` must not use a chunk after it has asked for the next one. After
 * a failure nothing of the upload is kept.
 * @throws Failure 413 beyond the limit, 422 for an empty file or more than one, 400 when the form is cut short, and
 * what `read` and `confirm` throw
 */
export async function storeUpload<T>(
  database: Database,
  organizationId: string,
  {
    file: { field, part, rest },
    maxBytes,
    read,
    confirm,
  }: {
    file: UploadedFile;
    /** The limit of the form's parser, where it is not the general one. */
    maxBytes?: number;
    read: (bytes: AsyncIterable<Buffer>) => Promise<T>;
    /** Throws when the sender may no longer upload: a file may take half an hour. */
    confirm: () => Promise<void>;
  },
): Promise<StoredUpload<T>> {
  const content: ContentRef = { organizationId, contentId: newId() };
  const beyond = () => (maxBytes === undefined ? new Failure('too_large') : tooLarge(maxBytes));
  let size = 0;
  async function* stored(): AsyncGenerator<Buffer> {
    let n = 0;
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const bytes of slices(part.file)) {
        if (part.file.truncated) throw beyond();
        size += bytes.length;
        await storing;
        storing = storeChunk(database, content, { n, bytes });
        // Thrown where it is awaited; until then it must not be an unhandled rejection.
        storing.catch(() => undefined);
        n += 1;
        yield bytes;
        storing = storing.then(() => releaseMemory(bytes));
        storing.catch(() => undefined);
      }
      if (part.file.truncated) throw beyond();
      if (size === 0) throw invalidField(field, 'The file is empty.');
      await storing;
    } finally {
      // The content is dropped only after the last chunk was stored.
      await storing.catch(() => undefined);
    }
  }
  try {
    const result = await read(stored());
    // To the end of the form: a second file after this one is an error, not ignored.
    await firstFile(rest);
    await confirm();
    return { contentId: content.contentId, size, result };
  } catch (error) {
    // Content that cannot be dropped now is incomplete, and so swept away later.
    await dropContent(database, content).catch(() => undefined);
    // The organization may have been deleted meanwhile, which is the reason then.
    await confirm();
    throw error;
  }
}
