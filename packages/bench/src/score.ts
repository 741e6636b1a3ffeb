import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import { calculateCwss, type CwssInputs } from '@riskboard/domain';
import { conditions, load } from './conditions.ts';
import { peakMemory, type Product, resetPeak, startProduct } from './product.ts';
import { shown, spread } from './statistics.ts';

const usage = `score [vulnerabilities …] [--runs 1]
CWSS scores of all vulnerabilities in one job: first scores this many times, the same again, and scores with another vignette.
The floor is the pure calculation of the stored inputs in one process and one UPDATE of the same columns of the same rows, before
each run. Fails when the median of first scores is above 2 times the floor. 100,000 take about 4 minutes a run.`;

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(usage);
  process.exit();
}
const runsAt = given.indexOf('--runs');
const runs = runsAt === -1 ? 1 : Number(given[runsAt + 1]);
const sizes = (runsAt === -1 ? given : given.toSpliced(runsAt, 2)).map(Number);
if ([...sizes, runs].some((n) => !Number.isInteger(n) || n < 1)) throw new Error(usage);
const counts = sizes.length > 0 ? sizes : [10_000, 100_000];
/** Issue 15, row 11: times the floor. */
const bar = 2;

const id = (kind: string, n: string) =>
  `overlay(overlay(md5('${kind} ' || (${n})) placing '7' from 13) placing '8' from 17)::uuid`;

/** Each has one of 200 weaknesses and one of 1,296 vectors, and most have one to three of 5,000 assets. */
async function fill({ admin }: Product, organization: string, count: number): Promise<void> {
  const project = id('project', '0');
  await admin.query('set session_replication_role = replica');
  await admin.query(
    `insert into project (organization_id, id, name, start_date) values ($1, ${project}, 'Bench', now()) on conflict do nothing`,
    [organization],
  );
  await admin.query(
    `insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
     select $1, ${id('asset', 'n')}, ${project}, 'Server ' || n, 1, 1 + n % 5 from generate_series(0, 4999) n on conflict do nothing`,
    [organization],
  );
  await admin.query(
    `insert into vulnerability (organization_id, id, name, description, severity, cve_id, cwe, cvss_vector, created_at)
     select $1, ${id('flaw', 'n')}, 'Flaw ' || n, repeat('A description of some length. ', 10), n % 10 + 0.5,
       'CVE-2024-' || 10000 + n, array['CWE-' || weakness.id],
       format('CVSS:3.1/AV:%s/AC:%s/PR:%s/UI:%s/S:U/C:%s/I:%s/A:%s', ('{N,A,L,P}'::text[])[1 + n % 4],
         ('{L,H}'::text[])[1 + n / 4 % 2], ('{N,L,H}'::text[])[1 + n / 8 % 3], ('{N,R}'::text[])[1 + n / 24 % 2],
         ('{N,L,H}'::text[])[1 + n / 48 % 3], ('{N,L,H}'::text[])[1 + n / 144 % 3], ('{N,L,H}'::text[])[1 + n / 432 % 3]),
       now() - interval '1 day'
     from generate_series(1, ${count}) n
     join (
       select row_number() over (order by id) - 1 as k, id from cwe_entry
       where kind = 'weakness' and catalogue_id = (
         select id from cwe_catalogue where bundled_at is not null order by bundled_at desc limit 1)
       order by id limit 200
     ) weakness on weakness.k = n % 200
     on conflict do nothing`,
    [organization],
  );
  await admin.query(
    `insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
     select $1, ${id('flaw', 'n')}, ${id('asset', '(n * 7 + k * 13) % 5000')}
     from generate_series(1, ${count}) n, generate_series(1, n % 4) k on conflict do nothing`,
    [organization],
  );
  await admin.query('set session_replication_role = origin');
  await admin.query('vacuum analyze');
}

async function call<T>({ origin, cookie }: Product, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

interface Run {
  ms: number;
  /** MiB above the worker's memory before the job. */
  memory: number;
  result: Job['result'];
}

async function calculateAll(product: Product, vignetteId: string): Promise<Run> {
  resetPeak(product.pids.worker);
  const before = peakMemory(product.pids.worker);
  const { jobId } = await call<{ jobId: string }>(product, '/reports/vulnerability/calculateCwss/bulk', {
    vignetteId,
    filter: {},
  });
  for (;;) {
    const job = await call<Job>(product, `/jobs/${jobId}`);
    if (job.state === 'succeeded' && job.startedAt && job.finishedAt)
      return {
        ms: Date.parse(job.finishedAt) - Date.parse(job.startedAt),
        memory: peakMemory(product.pids.worker) - before,
        result: job.result,
      };
    if (job.finishedAt !== null) throw new Error(job.error?.message ?? job.state);
    await sleep(50);
  }
}

const batchSize = 10_000;

/** Milliseconds of the calculation of every newest score from its stored inputs. */
async function calculationFloor({ admin }: Product): Promise<number> {
  let ms = 0;
  await admin.query('begin');
  await admin.query(`declare inputs cursor for
    select s.inputs from cwss_score s join vulnerability v on v.organization_id = s.organization_id
      and v.id = s.vulnerability_id and v.cwss_version = s.version`);
  for (;;) {
    const { rows } = await admin.query<{ inputs: CwssInputs }>(`fetch ${batchSize} from inputs`);
    const started = performance.now();
    for (const { inputs } of rows) calculateCwss(inputs);
    ms += performance.now() - started;
    if (rows.length < batchSize) break;
  }
  await admin.query('rollback');
  return ms;
}

/** Milliseconds of one UPDATE of all vulnerabilities with the columns that a first score writes; rolled back. */
async function updateFloor({ admin }: Product, vignetteId: string): Promise<number> {
  await admin.query('begin');
  await admin.query(
    `create temporary table floor_scores on commit drop as
     select organization_id, id, (random() * 100)::numeric(4, 1) as score from vulnerability`,
  );
  await admin.query('analyze floor_scores');
  const started = performance.now();
  await admin.query(
    `update vulnerability v set cwss_score = f.score, applied_vignette = 'Floor', cwss_vignette_id = $1, cwss_version = v.cwss_version + 1
     from floor_scores f where v.organization_id = f.organization_id and v.id = f.id`,
    [vignetteId],
  );
  const ms = performance.now() - started;
  await admin.query('rollback');
  await admin.query('vacuum analyze vulnerability');
  return ms;
}

/** Removes all scores, as before the first ones. */
async function removeScores({ admin }: Product): Promise<void> {
  await admin.query(`
    set session_replication_role = replica;
    delete from cwss_score;
    update vulnerability set cwss_score = null, applied_vignette = '', cwss_vignette_id = null, cwss_stale = '{}', cwss_version = 0;
    set session_replication_role = origin`);
  await admin.query('vacuum full analyze vulnerability');
}

let isOver = false;
for (const count of counts) {
  const product = await startProduct();
  try {
    const { rows } = await product.admin.query<{ id: string }>(
      'select organization_id as id from organization',
    );
    await fill(product, rows[0]?.id ?? '', count);
    const { items } = await call<{ items: { _id: string }[] }>(product, '/reports/vignette');
    const [shop = '', bank = ''] = items.map(({ _id }) => _id);
    console.log(`${count} vulnerabilities, ${conditions()}; min / median / max`);
    const [floors, firsts, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < runs; n += 1) {
      if (n > 0) await removeScores(product);
      const update = await updateFloor(product, shop);
      const first = await calculateAll(product, shop);
      const calculation = await calculationFloor(product);
      const floor = calculation + update;
      floors.push(floor);
      firsts.push(first.ms);
      ratios.push(first.ms / floor);
      console.log(
        `  first scores ${first.ms} ms, floor ${floor.toFixed(0)} ms = calculation ${calculation.toFixed(0)} + update ${update.toFixed(0)}; ${(first.ms / floor).toFixed(2)} x; worker +${first.memory} MiB; load ${load()}`,
      );
    }
    const floor = spread(floors).median;
    for (const [name, vignette] of [
      ['again', shop],
      ['other', bank],
    ] as const) {
      const { ms, memory, result } = await calculateAll(product, vignette);
      console.log(
        `  ${name}: ${ms} ms, ${(ms / floor).toFixed(2)} x; worker +${memory} MiB; ${JSON.stringify(result)}`,
      );
    }
    const ratio = spread(ratios);
    if (ratio.median > bar) isOver = true;
    console.log(
      `  first scores ${shown(spread(firsts))} ms, floor ${shown(spread(floors))} ms, ratio ${shown(ratio, 2)} (bar ${bar}); ${((1000 * spread(firsts).median) / count).toFixed(0)} us each`,
    );
  } finally {
    await product.stop();
  }
}
process.exitCode = isOver ? 1 : 0;
