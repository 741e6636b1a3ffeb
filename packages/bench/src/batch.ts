import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BareWork } from './bare-ingest.ts';
import { conditions } from './conditions.ts';
import { addOrganization, type Product, startProduct } from './product.ts';
import { smallReport } from './sample-report.ts';
import { costsOfEach, readCosts } from './server-costs.ts';
import { shown, spread } from './statistics.ts';

/**
 * Many reports of 20 to 200 KB in one batch with 1, 2 and 4 workers, compared with the same number of plain processes that
 * do the same work without queue, job rows, HTTP and events. A batch is uploaded while it is paused; measured is the time
 * from its resumption until its last extraction has ended. Each run has an organization of its own.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1,2,4' },
  },
});
const files = Number(values.files);
const runs = Number(values.runs);
const counts = values.workers.split(',').map(Number);
/** Issue 15, row 5: of the bare process with one worker, and of its speed-up with more. */
const bar = 1.5;
const speedUpBar = 0.9;
/** As `WORKER_CONCURRENCY` of `npm start`. */
const concurrency = 2;
const uploadsAtOnce = 4;
/** Reports that each new worker reads before it is measured, so that V8 compiles the code of a reading before. */
const warmUpFiles = 100;

type Tenant = Awaited<ReturnType<typeof addOrganization>>;

async function call(tenant: Tenant, route: string, body?: FormData | object): Promise<unknown> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${tenant.origin}${route}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.token}`,
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Uploads reports into a paused batch. */
async function uploadPaused(
  product: Product,
  count = files,
): Promise<{ tenant: Tenant; batch: string; uploadMs: number }> {
  const tenant = await addOrganization(product);
  const { _id: batch } = (await call(tenant, '/api/batches', { name: 'bench', files: count })) as {
    _id: string;
  };
  await call(tenant, `/api/batches/${batch}/pause`);
  const started = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const form = new FormData();
      form.append('stixFile', new Blob([smallReport(n)]), `report-${n}.json`);
      await call(tenant, `/api/reports/upload?batch=${batch}&extract=vulnerabilities,threats`, form);
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, lane));
  return { tenant, batch, uploadMs: performance.now() - started };
}

async function untilEnded({ admin }: Product, batch: string): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ state: string; files: number }>(
      `select state, count(*)::int as files from job where batch_id = $1 group by state`,
      [batch],
    );
    if (rows.some(({ state }) => state === 'failed')) throw new Error('A job failed');
    if (rows.every(({ state }) => state === 'succeeded')) return;
    // Each call costs the server as much as several statements of a report.
    await sleep(100);
  }
}

/** The work that follows an import, such as counts of the overview, must not slow down the next run. */
async function idle({ admin }: Product): Promise<void> {
  for (;;) {
    const { rows } = await admin.query(
      `select from job where state in ('queued', 'running') and batch_id is null limit 1`,
    );
    if (rows.length === 0) return;
    await sleep(20);
  }
}

async function records({ admin }: Product, organizationId: string): Promise<number> {
  const { rows } = await admin.query<{ records: number }>(
    `select (select count(*) from vulnerability where organization_id = $1)::int
       + (select count(*) from threat where organization_id = $1)::int as records`,
    [organizationId],
  );
  return rows[0]?.records ?? 0;
}

const bare: ChildProcess[] = [];

async function startBare(databaseUrl: string, count: number): Promise<void> {
  while (bare.length < count) {
    const child = fork(path.join(import.meta.dirname, 'bare-ingest.ts'), {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    await once(child, 'message');
    bare.push(child);
  }
}

/** Measures `work`, with what each file costs the server, the processes and the api. */
async function measured(product: Product, processes: readonly number[], work: () => Promise<void>) {
  const targets = { postmaster: product.pids.postgres, processes };
  const before = await readCosts(product.admin, targets);
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  return { ms, costs: costsOfEach(before, await readCosts(product.admin, targets), files) };
}

async function runBare(product: Product, count: number) {
  const { tenant, batch } = await uploadPaused(product);
  const { organizationId } = tenant;
  await product.setWorkers(0);
  await startBare(product.databaseUrl, count);
  const children = bare.slice(0, count);
  const run = await measured(
    product,
    children.map(({ pid = 0 }) => pid),
    async () => {
      await Promise.all(
        children.map(async (child, part) => {
          child.send({ organizationId, part, parts: count, concurrency } satisfies BareWork);
          await once(child, 'message');
        }),
      );
    },
  );
  await product.admin.query(`delete from job where batch_id = $1`, [batch]);
  return { ...run, found: await records(product, organizationId) };
}

async function readBatch(
  product: Product,
  { tenant, batch }: { tenant: Tenant; batch: string },
): Promise<void> {
  await call(tenant, `/api/batches/${batch}/resume`);
  await untilEnded(product, batch);
}

/** A worker lives for weeks, but here it is ended before each run of the floor: it would work on the floor's records. */
async function startWorkers(product: Product, count: number): Promise<void> {
  await product.setWorkers(count);
  await readBatch(product, await uploadPaused(product, warmUpFiles * count));
  await idle(product);
}

async function runProduct(product: Product, count: number) {
  await startWorkers(product, count);
  const { tenant, batch, uploadMs } = await uploadPaused(product);
  const run = await measured(product, [product.pids.api, ...product.workers], () =>
    readBatch(product, { tenant, batch }),
  );
  await idle(product);
  return { ...run, uploadMs, found: await records(product, tenant.organizationId) };
}

console.log(conditions());
const product = await startProduct();
const times = { product: new Map<number, number[]>(), bare: new Map<number, number[]>() };
const add = (map: Map<number, number[]>, count: number, ms: number) =>
  map.set(count, [...(map.get(count) ?? []), ms]);
const uploads: number[] = [];
try {
  // The first round warms up the api and the processes of the floor; it is not counted.
  for (let run = -1; run < runs; run += 1) {
    for (const count of counts) {
      const one = await runProduct(product, count);
      const other = await runBare(product, count);
      if (one.found !== other.found) throw new Error(`${one.found} records, and ${other.found} of the floor`);
      const line = `${count} workers: ${one.ms.toFixed(0)} ms, bare ${other.ms.toFixed(0)} ms, ${one.found} records, upload ${one.uploadMs.toFixed(0)} ms`;
      console.log(`${run < 0 ? 'warm-up' : `run ${run + 1}`}, ${line}`);
      if (run < 0 && runs > 0) continue;
      add(times.product, count, one.ms);
      add(times.bare, count, other.ms);
      uploads.push(one.uploadMs);
      console.log(`  a file: ${one.costs}\n  bare:   ${other.costs}`);
    }
  }
} finally {
  for (const child of bare) child.disconnect();
  await product.stop();
}

const of = (map: Map<number, number[]>, count: number) => spread(map.get(count) ?? []);
console.log(`\n${files} files of 20 to 200 KB, ${runs} runs, min / median / max`);
console.log(`  upload, ${uploadsAtOnce} at once   ${shown(spread(uploads))} ms`);
for (const count of counts) {
  console.log(`  ${count} workers          ${shown(of(times.product, count))} ms`);
  console.log(`  ${count} bare processes   ${shown(of(times.bare, count))} ms`);
}
const ratio = of(times.product, 1).median / of(times.bare, 1).median;
console.log(`  one worker / one bare process: ${ratio.toFixed(2)} (limit: ${bar})`);
let isMet = ratio <= bar;
for (const count of counts.filter((one) => one > 1)) {
  const speedUp = of(times.product, 1).median / of(times.product, count).median;
  const own = of(times.bare, 1).median / of(times.bare, count).median;
  isMet &&= speedUp >= speedUpBar * own;
  console.log(
    `  speed-up with ${count}: ${speedUp.toFixed(2)}, bare ${own.toFixed(2)}, share ${(speedUp / own).toFixed(2)} (at least ${speedUpBar})`,
  );
}
process.exitCode = isMet ? 0 : 1;
