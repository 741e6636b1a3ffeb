import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { reports } from '@riskboard/contract';
import type { Api } from '../server/api.ts';
import { type FoundFile, unreadable } from './find-files.ts';

export interface Uploaded {
  action: 'created' | 'replaced';
  _id: string;
  jobId: string;
}

/** RFC 7578, 4.2: quotes and line breaks of a name are percent-encoded, as browsers do. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** @throws CliError when it cannot be read */
async function* bytesOf({ path, shown }: FoundFile): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(shown, error);
  }
}

async function* multipart(
  file: FoundFile,
  boundary: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${reports.upload.multipart.field}"; filename="${quoted(file.name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  for await (const chunk of bytesOf(file)) {
    onBytes(chunk.length);
    yield chunk;
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/**
 * Streams a file to the server. Repeated when the connection is lost: an upload of the same name and bytes changes nothing.
 * @throws CliError with the reason of the server, or when the file cannot be read
 */
export async function sendFile(
  api: Api,
  file: FoundFile,
  {
    extract,
    batchId,
    onSent,
  }: { extract: string; batchId?: string | undefined; onSent: (bytes: number) => void },
): Promise<Uploaded> {
  const boundary = `riskboard-${randomUUID()}`;
  const query = new URLSearchParams({
    ...(extract !== '' && { extract }),
    ...(batchId !== undefined && { batch: batchId }),
  }).toString();
  const reply = await api.send('POST', `${reports.upload.path}${query && `?${query}`}`, {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body() {
      let sent = 0;
      const parts = multipart(file, boundary, (bytes) => onSent((sent += bytes)));
      return Readable.toWeb(Readable.from(parts, { objectMode: false })) as ReadableStream<Uint8Array>;
    },
  });
  return (await reply.json()) as Uploaded;
}
