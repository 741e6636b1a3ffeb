import { recordRowsVisited, type StatementWork } from '@riskboard/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateRecords } from '../records/update-many.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { deleteAssets, deleteAssetsInBatches } from './delete-assets.ts';
import { restoreAssets } from './restore-assets.ts';
import { restoreRecords } from './restore-records.ts';

const each = 500;
/** Rows that one statement may read per record; a quadratic one reads hundreds. */
const rowsPerRecord = 50;

let database: OpenDatabase;
let admin: Client;
let statements: () => StatementWork[];
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  statements = await recordRowsVisited(database.clone, database.pool);
  admin = new Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
  for (const known of [await makeOrganization(database), await makeOrganization(database)])
    await fill(known, 2000);
  await admin.query('analyze');
  organizationId = await makeOrganization(database);
  await fill(organizationId, each);
});
afterAll(async () => {
  await admin.end();
  await database.end();
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** Threats of one report, each related to an asset; every asset is a child of another. */
async function fill(organization: string, records: number): Promise<void> {
  const id = (what: string, n = 'n') => `md5('${organization}${what}' || ${n})::uuid`;
  const from = `'${organization}'::uuid`;
  const series = `from generate_series(1, ${records}) n`;
  await admin.query('set session_replication_role = replica');
  await admin.query(`
    insert into project (organization_id, id, name, start_date) values (${from}, ${from}, 'Harbour', now());
    insert into asset (organization_id, id, project_id, name, asset_type_id, threat_count)
      select ${from}, ${id('asset')}, ${from}, 'No. ' || n, 1, 1 ${series};
    insert into asset_relation (organization_id, asset_id, related_id)
      select ${from}, ${id('asset')}, ${id('asset', '(n + 1)')} from generate_series(1, ${records - 1}) n;
    insert into threat (organization_id, id, key, name) select ${from}, ${id('threat')}, 'k:' || n, 'No. ' || n ${series};
    insert into threat_asset (organization_id, threat_id, asset_id) select ${from}, ${id('threat')}, ${id('asset')} ${series};
    insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
      values (${from}, ${from}, 'a.json', ${from}, 'json', 1, '', ${from});
    insert into report_record
      (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data, threat_id)
      select ${from}, ${from}, ${id('record')}, 'threat', 'k:' || n, n, 'malware', 'active', '/', 'x', '{}', ${id('threat')} ${series};
    insert into deleted_record (organization_id, noun, id, data) select ${from}, 'vulnerability', ${id('old')}, '{}' ${series}`);
}

/** Scored vulnerabilities of the organization that are related to one asset, which is returned. */
async function relateScored(count: number): Promise<string> {
  const asset = await inside((trx) => trx.selectFrom('asset').select('id').executeTakeFirstOrThrow());
  const id = (what: string) => `md5('${organizationId}${what}' || n)::uuid`;
  const series = `from generate_series(1, ${count}) n`;
  await admin.query(`
    insert into vulnerability (organization_id, id, key, name, asset_count, cwss_score, cwss_version, cwss_vignette_id)
      select '${organizationId}', ${id('scored')}, 's:' || n, 'No. ' || n, 1, 50, 1, '${organizationId}' ${series};
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
      select '${organizationId}', ${id('scored')}, '${asset.id}' ${series};
    insert into cwss_score (organization_id, vulnerability_id, version, cause, score, raw, vector, vignette_id, vignette_name,
      vignette_version, catalogue_version, formula_version, inputs)
      select '${organizationId}', ${id('scored')}, 1, 'calculated', 50, 50, '', '${organizationId}', '', 1, '', '', '{}' ${series};
    update asset set vulnerability_count = ${count} where id = '${asset.id}'`);
  return asset.id;
}

async function watched<T>(work: (trx: OrganizationTransaction) => Promise<T>, records = each): Promise<T> {
  statements();
  const result = await inside(work);
  const [most] = statements();
  expect(most?.rows ?? 0, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(
    rowsPerRecord * records,
  );
  return result;
}

const all = { table: 'threat', where: sql<boolean>`true`, by: null } as const;

// Statistics that list other organizations only must not make each record's work grow with the number of records.
describe('records of an organization that the table statistics do not know', () => {
  it('are changed without quadratic work', async () => {
    const assets = await inside((trx) => trx.selectFrom('asset').select('id').limit(3).execute());
    const ids = assets.map((asset) => asset.id);
    const change = { columns: { is_active: false }, addAssets: ids, removeAssets: ids };
    const { changed } = await watched((trx) => updateRecords(trx, { ...all, change }));
    expect(changed).toBe(each);
  });

  it('are deleted and restored without quadratic work', async () => {
    const deleted = await watched((trx) => deleteRecords(trx, all));
    expect(deleted).toHaveLength(each);
    const ids = deleted.map((row) => row.id);
    expect(await watched((trx) => restoreRecords(trx, 'threat', ids))).toHaveLength(each);
  });

  it('are deleted and restored without quadratic work when they are assets', async () => {
    const ids: string[] = [];
    await watched((trx) =>
      deleteAssetsInBatches(trx, { where: sql`true`, by: null }, (batch) => {
        ids.push(...batch.map((row) => row.id));
      }),
    );
    expect(ids).toHaveLength(each);
    expect(await watched((trx) => restoreAssets(trx, ids))).toHaveLength(each);
  });

  it('are deleted and restored without quadratic work when they are one asset with scored vulnerabilities', async () => {
    const asset = await relateScored(3000);
    await watched((trx) => deleteAssets(trx, { ids: [asset], by: null }), 3000);
    // The table has pages without rows, in the statistics too.
    await admin.query('analyze vulnerability_asset');
    expect(await watched((trx) => restoreAssets(trx, [asset]), 3000)).toHaveLength(1);
  });
});
