import { openAsBlob } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind, JobResult } from '@riskboard/contract';
import type { Product } from './product.ts';

/** Between two looks at the jobs. A look takes a millisecond of the processors that the product needs meanwhile. */
const pollMs = 20;

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
async function endedJobs(product: Pick<Product, 'admin'>, parseId: string): Promise<Ended[]> {
  const { rows } = await product.admin.query<Ended>(
    `select kind, state, result, error_message from job
    where (file_id, created_at) = (select file_id, created_at from job where id = $1)`,
    [parseId],
  );
  const failed = rows.find((job) => job.state === 'failed');
  if (failed) throw new Error(`${failed.kind} failed: ${failed.error_message}`);
  return rows.every((job) => job.state === 'succeeded') ? rows : [];
}

/** What a caller of the api needs. */
type Caller = Pick<Product, 'origin' | 'cookie' | 'token'>;

const credentials = ({ origin, cookie, token }: Caller): Record<string, string> =>
  token === undefined ? { cookie, origin } : { authorization: `Bearer ${token}` };

/** Uploads a report with both extractions. @returns the file and the job that reads it */
export async function upload(
  product: Caller,
  file: string,
  name: string,
): Promise<{ fileId: string; jobId: string }> {
  const form = new FormData();
  form.append('stixFile', await openAsBlob(file), name);
  const answer = await fetch(`${product.origin}/api/reports/upload?extract=vulnerabilities,threats`, {
    method: 'POST',
    body: form,
    headers: credentials(product),
  });
  if (answer.status !== 201) throw new Error(`Upload answered ${answer.status}: ${await answer.text()}`);
  const { _id: fileId, jobId } = (await answer.json()) as { _id: string; jobId: string };
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
    const jobs = await endedJobs(product, jobId);
    if (jobs.length === 2) {
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
    await sleep(pollMs);
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
