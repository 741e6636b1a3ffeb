import { mkdtemp, rm } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyFloor, parseFloor } from './floor.ts';
import { processorSeconds } from './processor-time.ts';
import { addOrganization, peakMemory, type Product, startProduct } from './product.ts';
import { writeSample } from './sample-report.ts';

const usage = `workers [reports] [--workers 1,2,4]
A batch of reports of 20 to 200 KB, uploaded eight at a time, with 1, 2 and 4 workers: time until the last one is extracted,
and what one report costs: processor time of api, workers and PostgreSQL, transactions and WAL.`;

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(usage);
  process.exit();
}
const workersAt = given.indexOf('--workers');
const counts = (workersAt === -1 ? '1,2,4' : (given[workersAt + 1] ?? '')).split(',').map(Number);
const reports = Number(given.find((_, n) => n !== workersAt && n !== workersAt + 1) ?? 2000);
if (![...counts, reports].every((n) => Number.isInteger(n) && n > 0)) throw new Error(usage);

const uploadsAtOnce = 8;
/** Bytes of the reports of a batch: every size from 20 to 200 KB, in an order without a trend. */
const sizes = Array.from({ length: 10 }, (_, n) => 20_000 + 20_000 * ((n * 7) % 10));

const folder = await mkdtemp('/tmp/riskboard-bench-');
const files = await Promise.all(
  sizes.map(async (bytes, n) => {
    const file = path.join(folder, `${n}.json`);
    await writeSample(file, bytes);
    return file;
  }),
);

interface Writes {
  transactions: number;
  walBytes: number;
}

async function writesOf({ admin }: Product): Promise<Writes> {
  const { rows } = await admin.query<{ transactions: string; wal: string }>(
    `select xact_commit as transactions, pg_current_wal_lsn() - '0/0' as wal
     from pg_stat_database where datname = current_database()`,
  );
  return { transactions: Number(rows[0]?.transactions ?? 0), walBytes: Number(rows[0]?.wal ?? 0) };
}

async function upload(product: Product & { token: string }, n: number): Promise<void> {
  const form = new FormData();
  form.append('stixFile', await openAsBlob(files[n % files.length] ?? ''), `report ${n}.json`);
  for (;;) {
    const answer = await fetch(`${product.origin}/api/reports/upload?extract=vulnerabilities,threats`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${product.token}` },
    });
    const text = await answer.text();
    if (answer.status === 201) return;
    if (answer.status !== 429) throw new Error(`Upload answered ${answer.status}: ${text}`);
    await sleep(200);
  }
}

async function untilEnded({ admin }: Product, organizationId: string): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ ended: number; failed: number }>(
      `select count(*) filter (where state = 'succeeded')::int as ended,
         count(*) filter (where state = 'failed')::int as failed
       from job where organization_id = $1 and kind in ('stix.parse', 'stix.extract')`,
      [organizationId],
    );
    if ((rows[0]?.failed ?? 0) > 0) throw new Error(`${rows[0]?.failed} jobs failed`);
    if (rows[0]?.ended === 2 * reports) return;
    await sleep(50);
  }
}

interface Run {
  workers: number;
  seconds: number;
  uploadSeconds: number;
  processor: Record<'api' | 'workers' | 'postgres', number>;
  writes: Writes;
  workerMiB: number;
  floorSeconds: number;
}

async function run(workers: number): Promise<Run> {
  const started = await startProduct({}, { workers });
  try {
    const product = await addOrganization(started);
    const processor = () => ({
      api: processorSeconds(product.pids.api),
      workers: product.workers.reduce((sum, pid) => sum + processorSeconds(pid), 0),
      postgres: processorSeconds(product.pids.postgres),
    });
    const [before, written, began] = [processor(), await writesOf(product), performance.now()];
    let next = 0;
    const uploads = Array.from({ length: uploadsAtOnce }, async () => {
      while (next < reports) await upload(product, (next += 1) - 1);
    });
    await Promise.all(uploads);
    const uploadSeconds = (performance.now() - began) / 1000;
    await untilEnded(product, product.organizationId);
    const seconds = (performance.now() - began) / 1000;
    const [after, writes] = [processor(), await writesOf(product)];
    const copied = await copyFloor(product.admin);
    const parsed = files.reduce((sum, file) => sum + parseFloor(file), 0) / files.length;
    return {
      workers,
      seconds,
      uploadSeconds,
      processor: {
        api: after.api - before.api,
        workers: after.workers - before.workers,
        postgres: after.postgres - before.postgres,
      },
      writes: {
        transactions: writes.transactions - written.transactions,
        walBytes: writes.walBytes - written.walBytes,
      },
      workerMiB: Math.max(...product.workers.map(peakMemory)),
      floorSeconds: (copied.ms + parsed * reports) / 1000,
    };
  } finally {
    await started.stop();
  }
}

const each = (amount: number, digits = 1): string => (amount / reports).toFixed(digits).padStart(9);

try {
  console.log(`${reports} reports of 20 to 200 KB, load ${loadavg()[0]?.toFixed(1) ?? ''}`);
  console.log(
    'workers   upload (s)  extracted (s)  speed-up  floor (s)   api (ms)  worker (ms)  PostgreSQL (ms)  commits  WAL (KB)  worker (MiB)',
  );
  let alone: number | undefined;
  for (const workers of counts) {
    const { seconds, uploadSeconds, processor, writes, workerMiB, floorSeconds } = await run(workers);
    alone ??= seconds;
    console.log(
      `${`${workers}`.padStart(7)}${uploadSeconds.toFixed(1).padStart(13)}${seconds.toFixed(1).padStart(15)}` +
        `${(alone / seconds).toFixed(2).padStart(10)}${floorSeconds.toFixed(1).padStart(11)}` +
        `  ${each(processor.api * 1000)}    ${each(processor.workers * 1000)}        ${each(processor.postgres * 1000)}` +
        `${each(writes.transactions)} ${each(writes.walBytes / 1000)}${`${workerMiB}`.padStart(14)}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
