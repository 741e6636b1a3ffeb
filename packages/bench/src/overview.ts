import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import {
  migrateToLatest,
  openDatabase,
  readTotals,
  recomputeOverview,
  withOrganization,
} from '@riskboard/db';
import { provision, startCluster } from '@riskboard/embedded';
import { Client } from 'pg';
import { shown, spread } from './statistics.ts';

/**
 * The numbers of the overview (decision 0036) at 10,000 to 1,000,000 vulnerabilities, in one organization and among 50:
 * reading all totals, compared with a transaction that reads one row; changes of 1 and 1,000 rows and an import of 100,000
 * rows, compared with the same statements without the triggers of the overview; and a recomputation, compared with a
 * statement that reads all rows once. `--sizes 10000,100000` is the small form, in one organization alone.
 *
 * Exits with 1 when a committed change of one row takes more than 1.2 times the same change without the triggers, or
 * reading the totals more than 3 times reading one row, at the greatest size.
 */
const bars = { change: 1.2, read: 3 };
const sizesAt = process.argv.indexOf('--sizes');
const sizes = (sizesAt === -1 ? '10000,100000,1000000' : (process.argv[sizesAt + 1] ?? ''))
  .split(',')
  .map(Number);
const isWhole = sizesAt === -1;
const others = isWhole ? 49 : 0;
const rowsOfOthers = 10_000;
const calls = 10;
const importedRows = 100_000;

const superuser = { name: 'postgres', password: 'bench' };
const owner = { name: 'riskboard', password: 'bench' };
const home = await mkdtemp('/tmp/riskboard-bench-');
// The database's user must be able to enter it when this runs as root.
await chmod(home, 0o711);
const cluster = await startCluster({ home, password: superuser.password });
await provision(cluster.url(superuser, 'postgres'), owner, { database: 'riskboard' });
await migrateToLatest(cluster.url(owner, 'riskboard'));
const admin = new Client({ connectionString: cluster.url(superuser, 'riskboard') });
await admin.connect();
const database = openDatabase({ url: cluster.url(owner, 'riskboard') });

const load = (): string => loadavg()[0]?.toFixed(1) ?? '';

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Measures both alternately, after a warm-up of each. */
async function compare(
  name: string,
  {
    work,
    floor,
    times = calls,
  }: { work: () => Promise<unknown>; floor: () => Promise<unknown>; times?: number },
): Promise<number> {
  const [figures, least]: [number[], number[]] = [[], []];
  for (let n = -1; n < times; n += 1) {
    const [one, other] = [await timed(work), await timed(floor)];
    if (n < 0) continue;
    figures.push(one);
    least.push(other);
  }
  return report(name, figures, least);
}

/** Prints both and returns the ratio of their medians. */
function report(name: string, figures: readonly number[], least: readonly number[]): number {
  const [one, other] = [spread(figures), spread(least)];
  const ratio = one.median / other.median;
  console.log(
    `  ${name.padEnd(34)}${shown(one, 1).padStart(26)} ms, floor ${shown(other, 1).padStart(26)} ms, ratio ${ratio.toFixed(2).padStart(6)}`,
  );
  return ratio;
}

const spreadTimes = "now() - n % 900 * interval '1 day'";
/** Rows of years, or of one import with the time of its transaction. */
const insertRows = (organization: string, rows: string, createdAt = 'now()') => `
  insert into vulnerability (organization_id, id, name, description, severity, status, category_id, discovery_date, created_at)
  select '${organization}', gen_random_uuid(), 'Finding ' || n, repeat('The component does not check its input. ', 10),
    case when n % 9 > 0 then round((n * 7 % 101) / 10.0, 1) end,
    (array['open', 'open', 'open', 'mitigated', 'fixed', 'accepted'])[1 + n % 6], nullif(n % 5, 0),
    case when n % 4 > 0 then current_date - n % 2000 end, ${createdAt}
  from ${rows} n`;

/** Adds rows without triggers, as fast as possible; the recomputation counts them. */
async function fill(organization: string, { from, until }: { from: number; until: number }): Promise<void> {
  await admin.query('set session_replication_role = replica');
  await admin.query(insertRows(organization, `generate_series(${from + 1}, ${until})`, spreadTimes));
  await admin.query('set session_replication_role = origin');
}

const triggers =
  'note_overview, record_overview_of_new, record_overview_of_changed, record_overview_of_deleted';
const setTriggers = async (to: 'enable' | 'disable') => {
  const actions = triggers.split(', ').map((trigger) => `${to} trigger ${trigger}`);
  await admin.query(`alter table vulnerability ${actions.join(', ')}`);
};

/** Switching triggers discards the plans of the connection; as many runs after it are not measured. */
const warmUps = 8;

/** Times of a statement that is rolled back, and of a transaction with it that is committed where `commit` is set. */
async function timesOf(statement: string, { times, commit }: { times: number; commit: boolean }) {
  const measured: number[] = [];
  for (let n = -Math.min(warmUps, times); n < times; n += 1) {
    const run = () => admin.query(statement);
    const whole = async () => {
      await admin.query('begin');
      await run();
      await admin.query('commit');
    };
    if (!commit) await admin.query('begin');
    const ms = await timed(commit ? whole : run);
    if (!commit) await admin.query('rollback');
    if (n >= 0) measured.push(ms);
  }
  return measured;
}

/** With the triggers of the overview and without them, in alternating blocks. */
async function compareChange(
  name: string,
  statement: string,
  { times = calls, blocks = 3, commit = false } = {},
): Promise<number> {
  const [figures, least]: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks; block += 1) {
    figures.push(...(await timesOf(statement, { times, commit })));
    await setTriggers('disable');
    least.push(...(await timesOf(statement, { times, commit })));
    await setTriggers('enable');
  }
  return report(name, figures, least);
}

async function measure(organization: string): Promise<{ change: number; read: number }> {
  const own = `organization_id = '${organization}'`;
  const readRatio = await compare('read all totals', {
    work: () => withOrganization(database, organization, (trx) => readTotals(trx, { form: 'snapshot' })),
    floor: () =>
      withOrganization(database, organization, (trx) =>
        trx.selectFrom('overview_state').select('recomputed_at').execute(),
      ),
  });
  await compare('recompute', {
    work: () => withOrganization(database, organization, recomputeOverview),
    floor: () =>
      withOrganization(database, organization, (trx) =>
        trx
          .selectFrom('vulnerability')
          .select(({ fn }) => [
            fn.countAll().as('n'),
            fn.sum('severity').as('sum'),
            fn.max('status').as('last'),
          ])
          .execute(),
      ),
    times: 3,
  });
  const some = (count: number) =>
    `id in (select id from vulnerability where ${own} order by id limit ${count})`;
  // A record that was not counted counts, or the other way round, at each repetition.
  const changed = `status = case status when 'fixed' then 'open' else 'fixed' end,
    severity = case when severity >= 9 then 1 else 9.5 end`;
  for (const count of [1, 1000]) {
    await compareChange(`insert ${count}`, insertRows(organization, `generate_series(1, ${count})`));
    await compareChange(
      `change status and severity of ${count}`,
      `update vulnerability set ${changed} where ${own} and ${some(count)}`,
    );
    await compareChange(
      `change the name of ${count}`,
      `update vulnerability set name = name || '.' where ${own} and ${some(count)}`,
    );
  }
  const change = await compareChange(
    'change status of 1, and commit',
    `update vulnerability set ${changed} where ${own} and ${some(1)}`,
    { commit: true },
  );
  return { change, read: readRatio };
}

try {
  const { rows } = await admin.query<{ id: string }>(
    'insert into organization (organization_id) values (gen_random_uuid()) returning organization_id as id',
  );
  const organization = rows[0]?.id ?? '';
  let ratios = { change: 0, read: 0 };
  let from = 0;
  for (const until of sizes) {
    await fill(organization, { from, until });
    from = until;
    await admin.query('vacuum analyze');
    await withOrganization(database, organization, recomputeOverview);
    console.log(
      `${until.toLocaleString('en-US')} vulnerabilities, 1 organization; min / median / max; load ${load()}`,
    );
    ratios = await measure(organization);
  }
  if (isWhole) {
    const { rows: made } = await admin.query<{ id: string }>(
      `insert into organization (organization_id) select gen_random_uuid() from generate_series(1, ${others}) returning organization_id as id`,
    );
    for (const { id } of made) {
      await fill(id, { from: 0, until: rowsOfOthers });
      await withOrganization(database, id, recomputeOverview);
    }
    await admin.query('vacuum analyze');
    console.log(
      `the same and ${others} organizations of ${rowsOfOthers.toLocaleString('en-US')}; load ${load()}`,
    );
    ratios = await measure(organization);
    await compareChange(
      `import ${importedRows.toLocaleString('en-US')}`,
      insertRows(organization, `generate_series(1, ${importedRows})`),
      { times: 1, blocks: 3 },
    );
  }
  console.log(
    `bars: committed change of one row ${ratios.change.toFixed(2)} of ${bars.change}; reading ${ratios.read.toFixed(2)} of ${bars.read}; load ${load()}`,
  );
  process.exitCode = ratios.change <= bars.change && ratios.read <= bars.read ? 0 : 1;
} finally {
  await database.close();
  await admin.end();
  await cluster.stop();
  await rm(home, { recursive: true, force: true });
}
