import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind, JobResult } from '@riskboard/contract';
import type { Product } from './product.ts';

/**
 * Between two looks at the jobs. A look takes a millisecond of the processors that the product needs meanwhile; during an
 * extraction one of two is idle.
 */
const pollMs = { usual: 20, extracting: 5 } as const;

export interface Ingest {
  fileId: string;
  /** Milliseconds until the upload was acknowledged. */
  uploadMs: number;
  /** Milliseconds from the acknowledgement until the extraction had ended. */
  extractedMs: number;
  parsed: JobResult<'stix.parse'>;
  extracted: JobResult<'stix.extract'>;
}

interface Ended {
  kind: JobKind;
  state: string;
  result: JobResult<JobKind>;
  error_message: string | null;
}

/** Reads the database, because thousands of calls a minute would exceed the api's rate limit. */
async function jobsOf(product: Pick<Product, 'admin'>, parseId: string): Promise<Ended[]> {
  const { rows } = await product.admin.query<Ended>(
    `select kind, state, result, error_message from job
    where (file_id, created_at) = (select file_id, created_at from job where id = $1)`,
    [parseId],
  );
  const failed = rows.find((job) => job.state === 'failed');
  if (failed) throw new Error(`${failed.kind} failed: ${failed.error_message}`);
  return rows;
}

/** What a caller of the api needs. */
type Caller = Pick<Product, 'origin' | 'cookie' | 'token'>;

const credentials = ({ origin, cookie, token }: Caller): Record<string, string> =>
  token === undefined ? { cookie, origin } : { authorization: `Bearer ${token}` };

/**
 * Sends a file as a form, piece by piece. `fetch` takes 0.4 s more for 46 MB on two cores: it copies the file, and V8 collects
 * the copies on the processors that the product needs meanwhile.
 * @returns status and text of the answer
 */
async function sendFile(
  caller: Caller,
  target: string,
  { file, name }: { file: string; name: string },
): Promise<{ status: number | undefined; body: string }> {
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="stixFile"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const length = Buffer.byteLength(head) + (await stat(file)).size + tail.length;
  const call = request(`${caller.origin}${target}`, {
    method: 'POST',
    headers: {
      ...credentials(caller),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': length,
    },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  await pipeline(async function* form() {
    yield head;
    yield* createReadStream(file, { highWaterMark: 256 * 1024 });
    yield tail;
  }, call);
  const [answer] = await answered;
  return { status: answer.statusCode, body: await text(answer) };
}

/** Uploads a report with both extractions. @returns the file and the job that reads it */
export async function upload(
  product: Caller,
  file: string,
  name: string,
): Promise<{ fileId: string; jobId: string }> {
  const target = '/api/reports/upload?extract=vulnerabilities,threats';
  const { status, body } = await sendFile(product, target, { file, name });
  if (status !== 201) throw new Error(`Upload answered ${status}: ${body}`);
  const { _id: fileId, jobId } = JSON.parse(body) as { _id: string; jobId: string };
  return { fileId, jobId };
}

/** Uploads a report with both extractions, and waits until they have ended. */
export async function ingest(
  product: Caller & Pick<Product, 'admin'>,
  file: string,
  name: string,
): Promise<Ingest> {
  const started = performance.now();
  const { fileId, jobId } = await upload(product, file, name);
  const acknowledged = performance.now();
  for (;;) {
    const jobs = await jobsOf(product, jobId);
    if (jobs.length === 2 && jobs.every((job) => job.state === 'succeeded')) {
      const extractedMs = performance.now() - acknowledged;
      const result = (kind: JobKind) => jobs.find((job) => job.kind === kind)?.result;
      return {
        fileId,
        uploadMs: acknowledged - started,
        extractedMs,
        parsed: result('stix.parse') as JobResult<'stix.parse'>,
        extracted: result('stix.extract') as JobResult<'stix.extract'>,
      };
    }
    const extracts = jobs.some((job) => job.kind === 'stix.extract' && job.state === 'running');
    await sleep(extracts ? pollMs.extracting : pollMs.usual);
  }
}

/** Deletes a report, and waits for the job that deletes a large one. */
export async function remove(product: Caller, fileId: string): Promise<void> {
  const headers = credentials(product);
  const answer = await fetch(`${product.origin}/api/reports/files/${fileId}`, { method: 'DELETE', headers });
  if (!answer.ok) throw new Error(`Delete answered ${answer.status}`);
  const job = answer.headers.get('location');
  if (job === null) return;
  for (;;) {
    const shown = await fetch(`${product.origin}${job}`, { headers });
    const { state } = (await shown.json()) as { state: string };
    if (state === 'succeeded') return;
    if (state === 'failed' || state === 'cancelled') throw new Error(`The deletion ${state}`);
    await sleep(500);
  }
}
