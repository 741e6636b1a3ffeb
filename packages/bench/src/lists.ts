import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { loadavg } from 'node:os';
import { Client } from 'pg';
import {
  facetCases,
  type ListCase,
  listCases,
  listTables,
  type Noun,
  nouns,
  shownColumns,
} from './list-cases.ts';
import { fillLists } from './list-rows.ts';
import { accountPassword, startProduct } from './product.ts';
import { p95 } from './statistics.ts';

/** Rows of each entity, in each of the two organizations. */
const rowsEach = 100_000;
/** Measured calls, after some warm-up calls. */
const calls = 40;
const warmUp = 5;
const pageSize = 50;
/** Issue 4: p95 under three times the bare SQL. */
const bar = 3;

/**
 * Lists of 100,000 rows over HTTP, compared with prepared SQL for the same rows and count, under the same role and
 * row-level security but without the api. Both run alternately, call by call, in the same run.
 */
const product = await startProduct();
const bare = new Client({
  host: product.admin.host,
  port: product.admin.port,
  user: 'postgres',
  password: 'bench',
  database: 'riskboard',
  options: '-c role=riskboard_app -c timezone=UTC',
});

/** Creates an API token: a session would need a renewal every ten minutes. */
async function makeToken(): Promise<string> {
  const answer = await fetch(`${product.origin}/api/auth/tokens`, {
    method: 'POST',
    headers: { cookie: product.cookie, origin: product.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', password: accountPassword }),
  });
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

let token = '';
let requests = 0;
/** Changes the client address every few calls, so that the rate limit does not apply. */
async function call(path: string): Promise<Record<string, unknown>> {
  requests += 1;
  const answer = await fetch(`${product.origin}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': `10.1.${(requests >> 8) & 255}.${requests & 255}`,
    },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

const own = 'organization_id = current_organization()';

interface Page {
  ids: string[];
  total: number;
}

async function fromApi(noun: Noun, { query }: ListCase): Promise<Page> {
  const reply = await call(`/api/${noun}?pageSize=${pageSize}&${query}`);
  return { ids: (reply[noun] as { _id: string }[]).map((row) => row._id), total: reply['total'] as number };
}

async function fromSql(noun: Noun, { name, where = 'true', order, page = 1 }: ListCase): Promise<Page> {
  const rest = `from ${listTables[noun]} where ${own} and ${where}`;
  const rows = await bare.query<{ id: string }>({
    name: `${noun} ${name}`,
    text: `select ${shownColumns[noun]} ${rest} order by ${order ?? 'created_at desc, id desc'} limit $1 offset $2`,
    values: [pageSize, (page - 1) * pageSize],
  });
  const count = await bare.query<{ total: number }>({
    name: `${noun} ${name}, count`,
    text: `select count(*)::int as total ${rest}`,
  });
  return { ids: rows.rows.map((row) => row.id), total: count.rows[0]?.total ?? 0 };
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

const ratios: number[] = [];
/** Filter for the names of the cases: `pnpm run lists search`. */
const wanted = process.argv[2] ?? '';

async function compare<T>(
  name: string,
  { api, sql, same }: { api: () => Promise<T>; sql: () => Promise<T>; same: boolean },
): Promise<void> {
  if (!name.includes(wanted)) return;
  const figures = { api: [] as number[], sql: [] as number[] };
  for (let n = -warmUp; n < calls; n += 1) {
    const one = await timed(api);
    const other = await timed(sql);
    if (same) assert.deepEqual(one.result, other.result, name);
    if (n < 0) continue;
    figures.api.push(one.ms);
    figures.sql.push(other.ms);
  }
  const ratio = p95(figures.api) / p95(figures.sql);
  ratios.push(ratio);
  const [api95, sql95] = [p95(figures.api), p95(figures.sql)].map((ms) => ms.toFixed(1).padStart(7));
  console.log(
    `${name.padEnd(44)}${api95} ms ${sql95} ms ${ratio.toFixed(2).padStart(6)}${ratio > bar ? '  over' : ''}`,
  );
}

const load = (): string =>
  loadavg()
    .map((figure) => figure.toFixed(1))
    .join(' ');

try {
  token = await makeToken();
  const organizationId = await fillLists(product.admin, rowsEach);
  await bare.connect();
  await bare.query(`select set_config('app.organization_id', $1, false)`, [organizationId]);
  console.log(`lists of ${rowsEach.toLocaleString('en-US')} rows, p95 of ${calls} calls; load ${load()}`);
  console.log(`${''.padEnd(44)}    api     bare SQL  ratio`);
  for (const noun of nouns) {
    for (const one of listCases[noun])
      await compare(`${noun}, ${one.name}`, {
        api: () => fromApi(noun, one),
        sql: () => fromSql(noun, one),
        same: true,
      });
    for (const [field, text] of facetCases[noun])
      await compare<unknown>(`${noun}, facet ${field}`, {
        api: () => call(`/api/${noun}/facets?field=${field}`),
        sql: () => bare.query({ name: `${noun} facet ${field}`, text: text.replace('$', own) }),
        same: false,
      });
  }
  const over = ratios.filter((ratio) => ratio > bar).length;
  console.log(
    `worst ratio ${Math.max(...ratios).toFixed(2)} (bar: ${bar}), ${over} of ${ratios.length} over; load ${load()}`,
  );
  process.exitCode = over === 0 ? 0 : 1;
} finally {
  await bare.end();
  await product.stop();
}
