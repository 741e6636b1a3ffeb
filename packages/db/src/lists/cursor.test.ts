import {
  assetListSchemas,
  importObjectListSchemas,
  projectListSchemas,
  reportFileListSchemas,
  threatListSchemas,
  vignetteListSchemas,
  vulnerabilityListSchemas,
} from '@riskboard/contract/schemas';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { assetSource } from './assets.ts';
import { importObjectSource } from './import-objects.ts';
import { listPage, type PageInput } from './page.ts';
import { projectSource } from './projects.ts';
import { reportFileSource } from './report-files.ts';
import type { ListSource } from './source.ts';
import { threatSource } from './threats.ts';
import { vignetteSource } from './vignettes.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** Characters of four bytes that the database cannot compress. */
const longText = (length: number): string => {
  let seed = 7;
  return Array.from({ length }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return String.fromCodePoint(0x20000 + (seed % 40_000));
  }).join('');
};

const name = longText(500);
/** A file name has at most 255 UTF-16 units. */
const fileName = longText(127);
/** As many ids as an entry of the index holds. */
const weaknesses = Array.from({ length: 400 }, (_, n) => `CWE-${100_000 + n * 100}`);

interface Parents {
  fileId: string;
  projectId: string;
}

/** The other columns of the row with a number. */
const others = {
  asset: (_n: number, { projectId }: Parents) => ({
    id: newId(),
    name: 'a',
    project_id: projectId,
    asset_type_id: 1,
  }),
  project: () => ({ id: newId(), name: 'p', start_date: '2026-01-01' }),
  report_object: (n: number, { fileId }: Parents) => ({
    file_id: fileId,
    reading: newId(),
    ordinal: n,
    outcome: 'failed',
    type: 't',
    location: 'l',
    reason: 'r',
  }),
  threat: () => ({ id: newId(), name: 't' }),
  vignette: (n: number) => ({ id: newId(), name: `v${n}`, scorecard_name: 's', rated_cells: 1 }),
  vulnerability: () => ({ id: newId(), name: 'v' }),
};

type Table = keyof typeof others;

interface Walked {
  source: ListSource;
  schema: { parse(query: object): PageInput };
  sort: string;
}

const lists: Record<Table, Omit<Walked, 'sort'>> = {
  asset: { source: assetSource, schema: assetListSchemas.query },
  project: { source: projectSource, schema: projectListSchemas.query },
  report_object: { source: importObjectSource, schema: importObjectListSchemas.query },
  threat: { source: threatSource, schema: threatListSchemas.query },
  vignette: { source: vignetteSource, schema: vignetteListSchemas.query },
  vulnerability: { source: vulnerabilitySource, schema: vulnerabilityListSchemas.query },
};

/** Creates two rows with these values. @returns their organization */
async function makeRows(table: Table, values: object): Promise<string> {
  const organizationId = await makeOrganization(database);
  const { fileId } = await makeFile(database, organizationId, { name: 'f.json' });
  const projectId = newId();
  const insert = (into: string, row: object) =>
    withOrganization(database, organizationId, (trx) => {
      const columns = Object.entries({ organization_id: organizationId, ...row });
      return sql`insert into ${sql.table(into)} (${sql.join(columns.map(([column]) => sql.ref(column)))})
        values (${sql.join(columns.map(([, value]) => value))})`.execute(trx);
    });
  if (table === 'asset') await insert('project', { ...others.project(), id: projectId });
  for (const n of [1, 2]) await insert(table, { ...others[table](n, { fileId, projectId }), ...values });
  return organizationId;
}

/** Reads pages of one row, each by the cursor of the one before. @returns the number of different rows */
async function walk(organizationId: string, { source, schema, sort }: Walked): Promise<number> {
  const ids = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = schema.parse({ sort, pageSize: 1, ...(cursor && { cursor }) });
    const page = await withOrganization(database, organizationId, (trx) =>
      listPage<{ id: string }>(trx, source, query),
    );
    for (const { id } of page.rows) ids.add(id);
    cursor = page.nextCursor;
  }
  return ids.size;
}

it.each<[Table, string, object]>([
  ['vulnerability', 'name', { name }],
  ['vulnerability', 'sourceFile', { source_file: fileName }],
  ['vulnerability', 'cveId', { cve_id: `CVE-2026-${'9'.repeat(19)}` }],
  ['vulnerability', 'cwe', { cwe: weaknesses }],
  ['vulnerability', 'appliedVignette', { applied_vignette: longText(200) }],
  ['threat', 'name', { name }],
  ['threat', 'sourceFile', { source_file: fileName }],
  ['threat', 'threatID', { threat_id: name }],
  ['threat', 'kind', { kind: name }],
  ['threat', 'threatCategory', { threat_category: name }],
  ['asset', 'name', { name }],
  ['project', 'name', { name }],
  ['report_object', 'stixId', { stix_id: longText(1000) }],
  ['report_object', 'reason', { reason: longText(1000) }],
  ['report_object', 'type', { type: longText(125) }],
  ['vignette', 'scorecardName', { scorecard_name: longText(200) }],
])('a walk through %s by the longest values of %s accepts each cursor', async (table, sort, values) => {
  const organizationId = await makeRows(table, values);
  for (const direction of ['', '-'])
    expect(await walk(organizationId, { ...lists[table], sort: `${direction}${sort}` })).toBe(2);
});

it('a walk through reports by the longest names accepts each cursor', async () => {
  const organizationId = await makeOrganization(database);
  for (const end of ['a', 'b']) await makeFile(database, organizationId, { name: `${fileName}${end}` });
  const walked = { source: reportFileSource, schema: reportFileListSchemas.query, sort: 'originalFilename' };
  expect(await walk(organizationId, walked)).toBe(2);
});
