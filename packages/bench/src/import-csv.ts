import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CsvImport, ImportNoun, Job } from '@riskboard/contract';
import { readCsv } from '@riskboard/csv';
import { from as copyFrom } from 'pg-copy-streams';
import { peakMemory, type Product, resetPeak, startProduct } from './product.ts';

const rows = 100_000;
/** Issue 11: seconds from the acknowledged upload to the end of the import. */
const bar = 20;

const line = (cells: readonly (string | number)[]): string => cells.map((cell) => `"${cell}"`).join(',');
const files: Readonly<
  Record<ImportNoun, { header: readonly string[]; row: (n: number) => (string | number)[] }>
> = {
  assets: {
    header: [
      'Name',
      'Description',
      'Type',
      'Criticality',
      'Confidentiality',
      'Integrity',
      'Availability',
      'Replacement Cost',
      'Reference',
      'Start Date',
      'State',
      'Project',
      'Related assets',
    ],
    row: (n) => [
      `Server ${n}`,
      `Server number ${n} of the inventory, in rack ${n % 97}`,
      'Hardware',
      'High',
      (n % 5) + 1,
      (n % 4) + 1,
      (n % 4) + 1,
      n * 10,
      `CMDB-${n}`,
      '2026-01-01',
      'Active',
      'Harbour',
      n % 10 === 0 ? `Server ${n + 1}` : '',
    ],
  },
  vulnerabilities: {
    header: [
      'Name',
      'Description',
      'Severity',
      'CVE',
      'CWE',
      'CVSS vector',
      'Status',
      'Reference',
      'Discovery Date',
      'Related assets',
    ],
    row: (n) => [
      `Finding ${n}`,
      `Finding number ${n} of the scan`,
      (n % 10) + 1,
      `CVE-2024-${10_000 + n}`,
      'CWE-79; CWE-89',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'open',
      `SCAN-${n}`,
      '2026-01-01',
      n % 10 === 0 ? `Server ${n + 1}` : '',
    ],
  },
};

function fileOf(noun: ImportNoun): string {
  const { header, row } = files[noun];
  const body = Array.from({ length: rows }, (_, n) => line(row(n)));
  return [line(header), ...body].join('\r\n');
}

async function call<T>({ origin, cookie }: Product, path: string, body?: object | FormData): Promise<T> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin, cookie, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function ended(product: Product, id: string): Promise<Job> {
  for (;;) {
    const job = await call<Job>(product, `/jobs/${id}`);
    if (job.state === 'succeeded') return job;
    if (job.finishedAt !== null) throw new Error(job.error?.message ?? job.state);
    await sleep(50);
  }
}

/** Milliseconds of parsing the text and of COPY of its cells into a table without indexes. */
async function floorOf({ admin }: Product, text: string): Promise<number> {
  const started = performance.now();
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const lines: string[] = [];
  let columns = 0;
  for await (const part of readCsv(bytes, () => Promise.resolve()))
    for (const { cells } of part.rows) {
      columns = cells.length;
      lines.push(`${cells.join('\t')}\n`);
    }
  const list = Array.from({ length: columns }, (_, n) => `c${n} text`).join(', ');
  await admin.query(`create unlogged table floor_csv (${list})`);
  await pipeline(Readable.from([lines.join('')]), admin.query(copyFrom('copy floor_csv from stdin')));
  await admin.query('drop table floor_csv');
  return performance.now() - started;
}

const product = await startProduct();
let worst = 0;
try {
  await call(product, '/projects', { name: 'Harbour', description: 'Bench', startDate: '2026-01-01' });
  for (const noun of ['assets', 'vulnerabilities'] as const) {
    const text = fileOf(noun);
    const floor = await floorOf(product, text);
    for (const run of ['new', 'again']) {
      resetPeak(product.pids.worker);
      const idle = peakMemory(product.pids.worker);
      const form = new FormData();
      form.set('csvFile', new Blob([text]), `${noun}.csv`);
      const began = performance.now();
      const { _id, columns } = await call<CsvImport>(product, `/imports?noun=${noun}`, form);
      const uploaded = performance.now();
      const mapping = columns.map(({ index, field }) => ({ column: index, field }));
      const { jobId } = await call<{ jobId: string }>(product, `/imports/${_id}/start`, {
        mapping,
        key: 'name',
      });
      const { result } = await ended(product, jobId);
      const imported = performance.now();
      const seconds = (imported - uploaded) / 1000;
      worst = Math.max(worst, seconds);
      console.log(
        `${noun}, ${run}: upload ${((uploaded - began) / 1000).toFixed(1)} s, imported ${seconds.toFixed(1)} s, floor ${(floor / 1000).toFixed(1)} s, ${((imported - uploaded) / floor).toFixed(1)} x; worker +${peakMemory(product.pids.worker) - idle} MiB; ${JSON.stringify(result)}`,
      );
    }
  }
} finally {
  await product.stop();
}
console.log(`worst ${worst.toFixed(1)} s (limit: ${bar} s)`);
process.exitCode = worst <= bar ? 0 : 1;
