/**
 * What each setting of the embedded PostgreSQL brings (docs/operations.md, PostgreSQL settings): the work that it is for,
 * with all other settings tuned, with PostgreSQL's default of this one and with the tuned value, alternately.
 *
 *     pnpm bench tuning [--rows 100000] [--runs 5] [--part settings|autovacuum]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type FilterInput,
  listPage,
  openDatabase,
  recomputeOverview,
  vulnerabilitySource,
  withOrganization,
} from '@riskboard/db';
import { availableMemory, tunedSettings } from '@riskboard/embedded';
import { Client } from 'pg';
import { conditions } from './conditions.ts';
import { fillVulnerabilities } from './list-rows.ts';
import { startBenchDatabase } from './product.ts';
import { shown, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '5' },
    part: { type: 'string' },
  },
});
const rows = Number(values.rows);
const runs = Number(values.runs);
const organizationId = randomUUID();
/** A tenth as many rows: the planner must choose between the two. */
const otherId = randomUUID();
const tuned = tunedSettings(await availableMemory());
const restarted = new Set(['shared_buffers']);

const database = await startBenchDatabase({ settings: {} });
const admin = new Client({ connectionString: database.adminUrl });
await admin.connect();

/** Settings of the server; those that need a restart are compared with the machine's figures elsewhere. */
async function apply(settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    if (!restarted.has(name)) await admin.query(`alter system set ${name} = '${value}'`);
  await admin.query('select pg_reload_conf()');
  await sleep(100);
}

async function reset(name: string): Promise<void> {
  await admin.query(`alter system reset ${name}`);
  await admin.query('select pg_reload_conf()');
  await sleep(100);
}

/** Runs the work as the product does, on a new connection, and returns its milliseconds. */
async function timed(work: (own: ReturnType<typeof openDatabase>) => Promise<unknown>): Promise<number> {
  const own = openDatabase({ url: database.databaseUrl, max: 1 });
  try {
    await withOrganization(own, organizationId, async () => undefined);
    const began = performance.now();
    await work(own);
    return performance.now() - began;
  } finally {
    await own.close();
  }
}

const page =
  (input: FilterInput, sort = '-createdAt') =>
  (own: ReturnType<typeof openDatabase>): Promise<unknown> =>
    withOrganization(own, organizationId, (trx) =>
      listPage(trx, vulnerabilitySource, { page: 1, pageSize: 50, sort, ...input }),
    );

const works = {
  'page by a weakness': page({ cwe: ['CWE-79'] }),
  'search for a word in every sixth row': page({ search: 'lighthouse' }),
  'page of a range of scores': page({ cvssScoreMin: 7, cvssScoreMax: 8.5 }, 'name'),
  'recount of the overview': (own: ReturnType<typeof openDatabase>) =>
    withOrganization(own, organizationId, recomputeOverview),
  'sort of all rows by their text': () =>
    admin.query(
      'select count(*) from (select * from vulnerability order by description, id offset 0) sorted',
    ),
  'building an index': async () => {
    await admin.query('create index bench_tuning on vulnerability (organization_id, description, name, id)');
    await admin.query('drop index bench_tuning');
  },
} as const;

/** The works that a setting is for. */
const cases: Readonly<Record<string, readonly (keyof typeof works)[]>> = {
  effective_cache_size: ['page by a weakness', 'page of a range of scores'],
  work_mem: ['sort of all rows by their text', 'recount of the overview', 'page of a range of scores'],
  maintenance_work_mem: ['building an index'],
  random_page_cost: [
    'page by a weakness',
    'search for a word in every sixth row',
    'page of a range of scores',
  ],
};

/** Seconds from a bulk load until autovacuum has analyzed the table and set its visibility map. */
async function untilVacuumed(): Promise<{ analyzed: number; vacuumed: number }> {
  await admin.query('create table bench_load (id int primary key, name text)');
  await admin.query(`insert into bench_load select n, md5(n::text) from generate_series(1, 400000) n`);
  await admin.query('vacuum analyze bench_load');
  // An import into a table that has rows: 15 % more, above the tuned thresholds and below PostgreSQL's.
  await admin.query(`insert into bench_load select n, md5(n::text) from generate_series(400001, 460000) n`);
  const began = performance.now();
  const seen = { analyzed: Infinity, vacuumed: Infinity };
  while (performance.now() - began < 70_000 && !(seen.analyzed < Infinity && seen.vacuumed < Infinity)) {
    const { rows: found } = await admin.query<{ analyzed: boolean; vacuumed: boolean }>(
      `select autoanalyze_count > 0 as analyzed, autovacuum_count > 0 as vacuumed
       from pg_stat_user_tables where relname = 'bench_load'`,
    );
    const seconds = (performance.now() - began) / 1000;
    if (found[0]?.analyzed) seen.analyzed = Math.min(seen.analyzed, seconds);
    if (found[0]?.vacuumed) seen.vacuumed = Math.min(seen.vacuumed, seconds);
    await sleep(200);
  }
  await admin.query('drop table bench_load');
  return seen;
}

const after = (seconds: number): string =>
  seconds === Infinity ? 'not within 70 s' : `after ${seconds.toFixed(0)} s`;
const vacuuming = Object.keys(tuned).filter((name) => name.startsWith('autovacuum'));

/** Prints each work with the default and the tuned value of a setting. */
async function compareSettings(): Promise<void> {
  await admin.query('insert into organization (organization_id) values ($1), ($2)', [
    organizationId,
    otherId,
  ]);
  await fillVulnerabilities(admin, organizationId, rows);
  await fillVulnerabilities(admin, otherId, Math.ceil(rows / 10));
  await admin.query('vacuum analyze');
  await apply(tuned);
  for (const [name, list] of Object.entries(cases))
    for (const what of list) {
      const figures = { standard: [] as number[], tuned: [] as number[] };
      for (let run = 0; run <= runs; run += 1) {
        await reset(name);
        const standard = await timed(works[what]);
        await apply({ [name]: tuned[name] ?? '' });
        const own = await timed(works[what]);
        // The first run fills the caches.
        if (run === 0) continue;
        figures.standard.push(standard);
        figures.tuned.push(own);
      }
      const [standard, own] = [spread(figures.standard), spread(figures.tuned)];
      console.log(
        `${name} = ${tuned[name]}: ${what}: default ${shown(standard, 1)}, tuned ${shown(own, 1)}, ${(standard.median / own.median).toFixed(2)} x as fast`,
      );
    }
}

/** Prints how soon a bulk load is analyzed and vacuumed. */
async function compareAutovacuum(): Promise<void> {
  await apply(tuned);
  const own = await untilVacuumed();
  for (const name of vacuuming) await reset(name);
  const standard = await untilVacuumed();
  console.log(
    `autovacuum: a table of 400,000 rows gets 60,000 more: default analyzed ${after(standard.analyzed)}, vacuumed ${after(standard.vacuumed)}; tuned analyzed ${after(own.analyzed)}, vacuumed ${after(own.vacuumed)}`,
  );
}

try {
  console.log(`${conditions()}; ${rows} vulnerabilities, medians of ${runs}, min / median / max in ms`);
  if (values.part !== 'autovacuum') await compareSettings();
  if (values.part !== 'settings') await compareAutovacuum();
} finally {
  await admin.end();
  await database.stop();
}
