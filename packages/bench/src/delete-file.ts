import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { addOrganization, startProduct } from './product.ts';
import { load } from './conditions.ts';
import { shown, spread } from './statistics.ts';
import { ingest, remove } from './upload.ts';

/** Issue 15, row 12: the deletion of a file takes this many times one DELETE of its rows. */
const bar = 2;

const usage = `delete-file [--records 20000] [--runs 5]
Deletes a report with this many vulnerabilities over HTTP, compared with one bare DELETE of the same rows of each table,
without triggers and rolled back, on a connection of its own, before each deletion. Needs about 2 minutes.`;

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(usage);
  process.exit();
}
const valueOf = (name: string, otherwise: number): number => {
  const at = given.indexOf(name);
  return at === -1 ? otherwise : Number(given[at + 1]);
};
const records = valueOf('--records', 20_000);
const runs = valueOf('--runs', 5);
if ([records, runs].some((n) => !Number.isInteger(n) || n < 1)) throw new Error(usage);

const vulnerability = (n: number) => {
  const cve = `CVE-${2005 + (n % 20)}-${10_000 + n}`;
  return {
    type: 'vulnerability',
    spec_version: '2.1',
    id: `vulnerability--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    created: '2024-01-01T00:00:00.000Z',
    modified: '2025-01-01T00:00:00.000Z',
    name: cve,
    description: `Flaw ${n}. ${'The component does not check what it is given. '.repeat(1 + (n % 12))}`,
    external_references: [{ source_name: 'cve', external_id: cve }],
  };
};

/** The rows of a file in each table, all of them with its records. */
const floors = {
  vulnerability: `id in (select vulnerability_id from report_record where organization_id = $1 and file_id = $2)`,
  report_record: 'file_id = $2',
  report_object: 'file_id = $2',
  report_object_group: 'file_id = $2',
  report_relation: 'file_id = $2',
  file_chunk: 'content_id = (select content_id from report_file where organization_id = $1 and id = $2)',
} as const;

const folder = await mkdtemp('/tmp/riskboard-bench-');
const product = await startProduct();
const { admin } = product;
try {
  const organization = await addOrganization(product);
  const file = path.join(folder, 'records.json');
  const objects = Array.from({ length: records }, (_, n) => vulnerability(n));
  await writeFile(
    file,
    JSON.stringify({ type: 'bundle', id: 'bundle--00000000-0000-4000-8000-000000000000', objects }),
  );

  /** Milliseconds of one DELETE of each table, and their rows. */
  const deleteBare = async (fileId: string): Promise<{ ms: number; rows: number }> => {
    // Of its own, as the api has one that has not read these pages yet: the first access to each costs a page fault.
    const client = new Client({ connectionString: product.adminUrl });
    await client.connect();
    await client.query('begin; set local session_replication_role = replica');
    let [ms, rows] = [0, 0];
    for (const [table, condition] of Object.entries(floors)) {
      const started = performance.now();
      const { rowCount } = await client.query(
        `delete from ${table} where organization_id = $1 and ${condition}`,
        [organization.organizationId, fileId],
      );
      ms += performance.now() - started;
      rows += rowCount ?? 0;
    }
    await client.query('rollback');
    await client.end();
    return { ms, rows };
  };

  const [deleted, bare]: [number[], number[]] = [[], []];
  let rows = 0;
  for (let n = -1; n < runs; n += 1) {
    const { fileId, extracted } = await ingest(organization, file, 'records.json');
    if (n < 0) console.log(`report with ${extracted.created} records`);
    await admin.query('vacuum analyze');
    const floor = await deleteBare(fileId);
    const started = performance.now();
    await remove(organization, fileId);
    const ms = performance.now() - started;
    const { rows: left } = await admin.query<{ left: number }>(
      `select (select count(*) from vulnerability)::int + (select count(*) from report_record)::int
        + (select count(*) from report_file)::int as left`,
    );
    if (left[0]?.left !== 0) throw new Error(`${left[0]?.left} rows are left`);
    if (n < 0) continue;
    ({ rows } = floor);
    deleted.push(ms);
    bare.push(floor.ms);
  }
  const ratio = spread(deleted).median / spread(bare).median;
  console.log(
    `${rows} rows: deletion ${shown(spread(deleted))} ms, DELETE ${shown(spread(bare))} ms, ratio ${ratio.toFixed(2)} (bar ${bar}); load ${load()}`,
  );
  process.exitCode = ratio <= bar ? 0 : 1;
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
