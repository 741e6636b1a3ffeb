import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fields, importableFields, vulnerabilityEntity } from '@riskboard/contract';
import { to as copyTo } from 'pg-copy-streams';
import { load } from './conditions.ts';
import { listOrganizations } from './list-database.ts';
import { fillVulnerabilities } from './list-rows.ts';
import { addOrganization, peakMemory, type Product, resetPeak, startProduct } from './product.ts';
import { percentile, shown, spread } from './statistics.ts';

/** Issue 15, row 12: an export of the most rows takes this many times COPY of the same columns. */
const bar = 2;
/** Peaks of the api's memory at all sizes are within this of each other, in MiB. */
const flat = 64;
/** Milliseconds within which an aborted download has no connection. */
const releasedWithin = 1000;

const usage = `export [--sizes 10000,100000,1000000] [--runs 5] [--data DIR]
CSV exports of this many vulnerabilities over HTTP, compared with COPY TO of the same columns and rows, in turn; the peak
memory of the api, calls by others meanwhile, and connections after an aborted download. Filling 10^6 rows takes more than 13
minutes; --data uses the organizations that \`list-growth\` keeps in this folder.`;

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
const runs = Number(valueOf('--runs', '5'));
if ([...sizes, runs].some((size) => !Number.isInteger(size) || size < 1)) throw new Error(usage);

const data = valueOf('--data', '') || undefined;
const product = await startProduct({}, { data });

interface Filled {
  rows: number;
  organizationId: string;
  token: string;
}

const headers = ({ token }: Filled) => ({ authorization: `Bearer ${token}` });

/** Milliseconds and bytes of a whole export. */
async function exportAll(filled: Filled): Promise<{ ms: number; bytes: number; lines: number }> {
  const started = performance.now();
  const answer = await fetch(`${product.origin}/api/vulnerabilities/export`, { headers: headers(filled) });
  if (!answer.ok || answer.body === null) throw new Error(`Export answered ${answer.status}`);
  let [bytes, lines] = [0, 0];
  for await (const part of answer.body as ReadableStream<Uint8Array>) {
    bytes += part.length;
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines += 1;
  }
  return { ms: performance.now() - started, bytes, lines };
}

const fields: Fields = vulnerabilityEntity.fields;
const imported = new Set(importableFields('vulnerabilities').map(({ field }) => field));

/** The columns of the export: those of the list, and those that an import reads. */
const columns = Object.entries(fields).flatMap(([name, { list, column }]) =>
  column !== null && (list || imported.has(name)) ? [column] : [],
);

/** Milliseconds of COPY TO of the same columns of the same rows, in the order of the export. */
async function copyAll({ admin }: Product, { organizationId }: Filled): Promise<number> {
  const copy = admin.query(
    copyTo(`copy (
      select ${columns.map((column) => `v.${column}`).join(', ')}, array(
        select a.name from vulnerability_asset l join asset a on a.organization_id = l.organization_id and a.id = l.asset_id
        where l.organization_id = v.organization_id and l.vulnerability_id = v.id order by a.name)
      from vulnerability v where organization_id = '${organizationId}' order by created_at desc, id desc
    ) to stdout (format csv, header, force_quote *)`),
  );
  const started = performance.now();
  await pipeline(
    copy,
    new Writable({
      write(_part, _encoding, done) {
        done();
      },
    }),
  );
  return performance.now() - started;
}

/** Milliseconds of calls that read one row, one after the other, until `until` is settled. */
async function callsUntil(filled: Filled, until: Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  const ended = new AbortController();
  void until.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    const started = performance.now();
    const answer = await fetch(`${product.origin}/api/vulnerabilities?pageSize=1`, {
      headers: {
        ...headers(filled),
        'x-forwarded-for': `10.9.${measured.length >> 8}.${measured.length & 255}`,
      },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A call during the export answered ${answer.status}`);
    measured.push(performance.now() - started);
    await sleep(20);
  }
  return measured;
}

/** Connections of the api that are in a transaction. */
async function busyConnections(): Promise<number> {
  const { rows } = await product.admin.query<{ busy: number }>(
    `select count(*)::int as busy from pg_stat_activity
     where datname = 'riskboard' and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`,
  );
  return rows[0]?.busy ?? 0;
}

/** Milliseconds from an abort of a download until no connection of the api is in a transaction. */
async function releasedAfterAbort(filled: Filled): Promise<number> {
  const abort = new AbortController();
  const answer = await fetch(`${product.origin}/api/vulnerabilities/export`, {
    headers: headers(filled),
    signal: abort.signal,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  for (let n = 0; n < 10; n += 1) await reader.read();
  abort.abort();
  const started = performance.now();
  // Free three times in a row: between two steps of an export no connection is busy either.
  for (let free = 0; free < 3;) {
    free = (await busyConnections()) === 0 ? free + 1 : 0;
    await sleep(5);
    if (performance.now() - started > 60_000) break;
  }
  return performance.now() - started;
}

async function fill(): Promise<Filled[]> {
  if (data !== undefined) return listOrganizations(product, { sizes });
  const filled: Filled[] = [];
  for (const rows of sizes) {
    const organization = await addOrganization(product);
    await fillVulnerabilities(product.admin, organization.organizationId, rows);
    filled.push({ rows, ...organization });
  }
  await product.admin.query('vacuum analyze');
  return filled;
}

try {
  const filled = await fill();
  const [least] = filled;
  const greatest = filled.at(-1);
  if (least === undefined || greatest === undefined) throw new Error(usage);
  await exportAll(least);
  console.log(`api at the first export, of ${least.rows} rows: ${peakMemory(product.pids.api)} MiB`);
  // V8 collects old objects at a limit that exports of any size reach after enough rows, so each size starts after as many.
  for (let rows = 0; rows < greatest.rows; rows += least.rows) await exportAll(least);
  resetPeak(product.pids.api);
  const warm = peakMemory(product.pids.api);
  console.log(
    `api after exports of ${greatest.rows} rows ${warm} MiB; ${runs} runs each; min / median / max; load ${load()}`,
  );
  const peaks: number[] = [];
  let ratio = 0;
  for (const one of filled) {
    const [exported, copied]: [number[], number[]] = [[], []];
    let bytes = 0;
    resetPeak(product.pids.api);
    for (let n = 0; n < runs; n += 1) {
      const whole = await exportAll(one);
      if (whole.lines < one.rows + 1) throw new Error(`${whole.lines} lines of ${one.rows} rows`);
      exported.push(whole.ms);
      bytes = whole.bytes;
      copied.push(await copyAll(product, one));
    }
    peaks.push(peakMemory(product.pids.api));
    ratio = spread(exported).median / spread(copied).median;
    console.log(
      `${one.rows.toLocaleString('en-US').padStart(9)} rows, ${(bytes / 1e6).toFixed(0)} MB: export ${shown(spread(exported))} ms, COPY ${shown(spread(copied))} ms, ratio ${ratio.toFixed(2)}; api peak ${peaks.at(-1)} MiB; load ${load()}`,
    );
  }
  const idleCalls = await callsUntil(least, sleep(2000));
  const during = await callsUntil(least, exportAll(greatest));
  const figures = (ms: readonly number[]) =>
    `p50 ${percentile(ms, 0.5).toFixed(1)}, p99 ${percentile(ms, 0.99).toFixed(1)}, max ${Math.max(...ms).toFixed(1)} ms`;
  console.log(`calls, idle: ${figures(idleCalls)}\ncalls during the export: ${figures(during)}`);
  const released: number[] = [];
  for (let n = 0; n < 5; n += 1) released.push(await releasedAfterAbort(greatest));
  console.log(`aborted download: no busy connection after ${shown(spread(released))} ms`);
  const grown = Math.max(...peaks) - Math.min(...peaks);
  console.log(
    `bars: ratio ${ratio.toFixed(2)} of ${bar}; memory +${grown} of ${flat} MiB; released in ${releasedWithin} ms`,
  );
  process.exitCode = ratio <= bar && grown <= flat && Math.max(...released) <= releasedWithin ? 0 : 1;
} finally {
  await product.stop();
}
