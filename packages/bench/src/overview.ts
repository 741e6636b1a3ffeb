import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openDatabase, readTotals, recomputeOverview, withOrganization } from '@riskboard/db';
import { conditions, load } from './conditions.ts';
import { type GrowthCase, growthOf, growthPlot } from './growth.ts';
import { withoutIndexes } from './list-rows.ts';
import { addOrganization, startProduct } from './product.ts';
import { shown, spread } from './statistics.ts';

/** Issue 15, row 7. */
const bars = { change: 1.2, read: 3 };
const others = 49;
const rowsOfOthers = 1000;

const usage = `overview [--sizes 10000,100000,1000000] [--blocks 3] [--many]
The numbers of the overview (decision 0036) in organizations of these sizes, alone and beside ${others} others: reading them,
compared with reading one row, and a change of one vulnerability, compared with the same without the triggers of the counters:
over HTTP, and as a transaction with its commit. With --many also statements of 1,000 rows, 100,000 new rows and a recomputation.
Fails when a change over HTTP takes more than ${bars.change} times the same without the triggers, or reading more than ${bars.read} times
reading one row, at the greatest size. Needs about 4 minutes.`;

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(usage);
  process.exit();
}
const valueOf = (name: string, otherwise: string): string => {
  const at = given.indexOf(name);
  return at === -1 ? otherwise : (given[at + 1] ?? '');
};
const sizes = valueOf('--sizes', '10000,100000,1000000').split(',').map(Number);
const blocks = Number(valueOf('--blocks', '3'));
if ([...sizes, blocks].some((n) => !Number.isInteger(n) || n < 1)) throw new Error(usage);
const calls = 20;
/** Switching triggers discards the plans of every connection; as many runs after it are not measured. */
const warmUps = 8;

const product = await startProduct({ TRUSTED_PROXIES: 'loopback' });
const { admin } = product;
const database = openDatabase({ url: product.databaseUrl, max: 1 });

type Organization = Awaited<ReturnType<typeof addOrganization>>;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Prints both and returns the ratio of their medians. */
function report(name: string, figures: readonly number[], least: readonly number[]): number {
  const [one, other] = [spread(figures), spread(least)];
  const ratio = one.median / other.median;
  console.log(
    `  ${name.padEnd(44)}${shown(one, 2).padStart(24)} ms, floor ${shown(other, 2).padStart(24)} ms, ratio ${ratio.toFixed(2).padStart(5)}`,
  );
  return ratio;
}

interface Compared {
  figures: number[];
  ratio: number;
}

/** Measures both alternately. */
async function alternating(
  name: string,
  work: () => Promise<unknown>,
  floor: () => Promise<unknown>,
): Promise<Compared> {
  const [figures, least]: [number[], number[]] = [[], []];
  for (let n = -warmUps; n < calls * blocks; n += 1) {
    const [one, other] = [await timed(work), await timed(floor)];
    if (n < 0) continue;
    figures.push(one);
    least.push(other);
  }
  return { figures, ratio: report(name, figures, least) };
}

const triggers = [
  'note_overview',
  'note_overview_of_closing',
  'record_overview_of_new',
  'record_overview_of_changed',
  'record_overview_of_deleted',
  'record_closing_of_new',
  'record_closing_of_changed',
  'record_closing_of_deleted',
];
const setTriggers = async (to: 'enable' | 'disable') => {
  await admin.query(
    `alter table vulnerability ${triggers.map((trigger) => `${to} trigger ${trigger}`).join(', ')}`,
  );
};

/** With the triggers of the counters and without them, in alternating blocks. */
async function inBlocks(name: string, work: () => Promise<unknown>, times = calls): Promise<Compared> {
  const [figures, least]: [number[], number[]] = [[], []];
  const measure = async (measured: number[]) => {
    for (let n = -Math.min(warmUps, times); n < times; n += 1) {
      const ms = await timed(work);
      if (n >= 0) measured.push(ms);
    }
  };
  for (let block = 0; block < blocks; block += 1) {
    await measure(figures);
    await setTriggers('disable');
    await measure(least);
    await setTriggers('enable');
  }
  return { figures, ratio: report(name, figures, least) };
}

let called = 0;
/** A call of the api; each from another address, because calls of one are limited. */
async function call({ origin, token }: Organization, route: string, body?: object): Promise<void> {
  called += 1;
  const answer = await fetch(`${origin}/api${route}`, {
    method: body ? 'PUT' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': `10.${called >> 16}.${(called >> 8) & 255}.${called & 255}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
}

/** Rows of years, or of one import with the time of its transaction. */
const insertRows = (rows: string, createdAt = 'now()') => `
  insert into vulnerability (organization_id, id, name, description, severity, status, category_id, discovery_date, created_at)
  select $1, gen_random_uuid(), 'Finding ' || n, repeat('The component does not check its input. ', 10),
    case when n % 9 > 0 then round((n * 7 % 101) / 10.0, 1) end,
    (array['open', 'open', 'open', 'mitigated', 'fixed', 'accepted'])[1 + n % 6], nullif(n % 5, 0),
    case when n % 4 > 0 then current_date - n % 2000 end, ${createdAt}
  from ${rows} n`;

/** Adds organizations without triggers, as fast as possible; the recomputation counts their rows. */
async function fill(rowsOfEach: readonly number[]): Promise<Organization[]> {
  const made: Organization[] = [];
  await admin.query('set session_replication_role = replica');
  for (const rows of rowsOfEach) {
    const organization = await addOrganization(product);
    made.push(organization);
    const created = "now() - n % 900 * interval '1 day'";
    await admin.query(insertRows(`generate_series(1, ${rows})`, created), [organization.organizationId]);
  }
  await admin.query('set session_replication_role = origin');
  return made;
}

async function countAll(organizations: readonly Organization[]): Promise<void> {
  await admin.query('vacuum analyze');
  for (const { organizationId } of organizations)
    await withOrganization(database, organizationId, recomputeOverview);
}

/** A record that is not counted as open and critical becomes both, or the other way round, at each call. */
function* changes(): Generator<{ status: 'open' | 'fixed'; severity: number }, never> {
  for (;;) {
    yield { status: 'fixed', severity: 1.5 };
    yield { status: 'open', severity: 9.5 };
  }
}

const oneOf = async ({ organizationId }: Organization): Promise<string> => {
  const { rows } = await admin.query<{ id: string }>(
    'select id from vulnerability where organization_id = $1 order by id limit 1',
    [organizationId],
  );
  return rows[0]?.id ?? '';
};

interface Measured {
  read: Compared;
  change: Compared;
}

async function measure(organization: Organization): Promise<Measured> {
  const id = await oneOf(organization);
  const route = `/vulnerabilities/${id}`;
  const read = await alternating(
    'read, GET /api/overview/metrics',
    () => call(organization, '/overview/metrics'),
    () => call(organization, route),
  );
  await alternating(
    'read all totals, transaction',
    () =>
      withOrganization(database, organization.organizationId, (trx) => readTotals(trx, { form: 'snapshot' })),
    () =>
      withOrganization(database, organization.organizationId, (trx) =>
        trx.selectFrom('vulnerability').selectAll().where('id', '=', id).execute(),
      ),
  );
  const next = changes();
  const change = await inBlocks('status and severity, PUT /api/vulnerabilities', () =>
    call(organization, route, next.next().value),
  );
  await inBlocks('status and severity, committed statement', () =>
    withOrganization(database, organization.organizationId, (trx) =>
      trx.updateTable('vulnerability').set(next.next().value).where('id', '=', id).execute(),
    ),
  );
  let n = 0;
  await inBlocks('name, PUT /api/vulnerabilities', () =>
    call(organization, route, { name: `Finding ${(n += 1)}` }),
  );
  return { read, change };
}

/** Statements of many rows, rolled back. */
async function measureMany({ organizationId }: Organization): Promise<void> {
  const rolledBack = (statement: string) => async () => {
    await admin.query('begin');
    await admin.query(statement.replaceAll('$1', `'${organizationId}'`));
    await admin.query('rollback');
  };
  const some = 'id in (select id from vulnerability where organization_id = $1 order by id limit 1000)';
  await inBlocks('insert 1,000', rolledBack(insertRows('generate_series(1, 1000)')), 5);
  await inBlocks(
    'status and severity of 1,000',
    rolledBack(
      `update vulnerability set status = 'accepted', severity = 9.6 where organization_id = $1 and ${some}`,
    ),
    5,
  );
  await inBlocks('insert 100,000', rolledBack(insertRows('generate_series(1, 100000)')), 1);
  const recomputed = [1, 2, 3].map(() =>
    timed(() => withOrganization(database, organizationId, recomputeOverview)),
  );
  console.log(`  recompute ${shown(spread(await Promise.all(recomputed)))} ms`);
}

try {
  console.log(`${conditions()}; min / median / max`);
  const organizations = await withoutIndexes(admin, () => fill(sizes));
  const growth: GrowthCase[] = [];
  let last: Measured | undefined;
  for (const beside of ['alone', `beside ${others} others`]) {
    const added = beside === 'alone' ? organizations : await fill(Array<number>(others).fill(rowsOfOthers));
    await countAll(added);
    const [reads, changed] = [new Map<number, number[]>(), new Map<number, number[]>()];
    for (const [at, size] of sizes.entries()) {
      console.log(`${size.toLocaleString('en-US')} vulnerabilities, ${beside}; load ${load()}`);
      last = await measure(organizations[at] as Organization);
      reads.set(size, last.read.figures);
      changed.set(size, last.change.figures);
    }
    growth.push({ name: `read, ${beside}`, figures: reads }, { name: `change, ${beside}`, figures: changed });
  }
  if (given.includes('--many')) await measureMany(organizations.at(-1) as Organization);
  const rows = growth.map((one) => growthOf(one, [1]));
  for (const { name, sizes: columns, growth: by } of rows)
    console.log(
      `${name.padEnd(28)}${columns.map(({ size, p50 }) => `${size.toLocaleString('en-US')}: ${p50.toFixed(2)} ms`).join(', ')}; growth ${by.toFixed(2)}`,
    );
  const folder = path.join(import.meta.dirname, '../../../docs/plots');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'overview-growth.svg'),
    growthPlot(
      {
        title: 'Reading the overview, and a change of one vulnerability, over HTTP',
        sizes: 'vulnerabilities of the organization',
      },
      rows,
    ),
  );
  const [change, read] = [last?.change.ratio ?? Infinity, last?.read.ratio ?? Infinity];
  console.log(
    `bars: change of one record ${change.toFixed(2)} of ${bars.change}; reading ${read.toFixed(2)} of ${bars.read}; load ${load()}`,
  );
  process.exitCode = change <= bars.change && read <= bars.read ? 0 : 1;
} finally {
  await database.close();
  await product.stop();
}
