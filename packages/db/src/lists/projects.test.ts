import { projectListSchemas } from '@riskboard/contract/schemas';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { listPage, type Page, type PageInput } from './page.ts';
import { projectNames, projectSource } from './projects.ts';

interface Counted {
  id: string;
  name: string;
  assets: number;
  threats: number;
  vulnerabilities: number;
}

/** Each name is the expected counts: assets, threats and vulnerabilities of the project. */
const projects = [
  { name: 'none', assets: 0, threats: 0, vulnerabilities: 0 },
  { name: 'bare', assets: 3, threats: 0, vulnerabilities: 0 },
  { name: 'some', assets: 2, threats: 4, vulnerabilities: 1 },
  { name: 'more', assets: 1, threats: 2, vulnerabilities: 5 },
  { name: 'same', assets: 2, threats: 2, vulnerabilities: 5 },
];

let database: OpenDatabase;
let organizationId: string;
const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>, whose = organizationId): Promise<T> =>
  withOrganization(database, whose, work);

/** Every threat and vulnerability of a project is related to all of its assets, and counts once. */
async function fill(trx: OrganizationTransaction): Promise<void> {
  for (const table of ['threat', 'vulnerability'])
    await sql`insert into ${sql.table(table)} (organization_id, id, name)
      select current_organization(), gen_random_uuid(), n from generate_series(1, 5) n`.execute(trx);
  for (const { name, assets, threats, vulnerabilities } of projects) {
    const id = newId();
    await sql`insert into project (organization_id, id, name, start_date)
      values (current_organization(), ${id}, ${name}, '2026-01-01')`.execute(trx);
    await sql`insert into asset (organization_id, id, name, project_id, asset_type_id)
      select current_organization(), gen_random_uuid(), n, ${id}::uuid, 1 from generate_series(1, ${assets}::int) n`.execute(
      trx,
    );
    for (const [table, count] of [
      ['threat', threats],
      ['vulnerability', vulnerabilities],
    ] as const)
      await sql`insert into ${sql.table(`${table}_asset`)} (organization_id, asset_id, ${sql.ref(`${table}_id`)})
        select a.organization_id, a.id, record.id from asset a
        join ${sql.table(table)} record on record.organization_id = a.organization_id and record.name::int <= ${count}
        where a.organization_id = current_organization() and a.project_id = ${id}`.execute(trx);
  }
}

beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
  await inside(fill);
  // Relations of other organizations are not counted.
  await inside(fill, await makeOrganization(database));
});
afterAll(() => database.end());

const read = (query: Partial<PageInput> & Record<string, unknown>): Promise<Page<Counted>> =>
  inside((trx) => listPage<Counted>(trx, projectSource, { page: 1, pageSize: 50, sort: 'name', ...query }));
const names = ({ rows }: Page<Counted>): string[] => rows.map(({ name }) => name);

it('counts a threat or vulnerability that is related to several assets of the project once', async () => {
  const { rows, total } = await read({});
  expect(total).toBe(projects.length);
  expect(rows).toMatchObject(projects.toSorted((a, b) => a.name.localeCompare(b.name)));
});

it.each([
  [{ assetsMin: 2 }, ['bare', 'same', 'some']],
  [{ assetsMax: 0 }, ['none']],
  [{ threatsMin: 2, threatsMax: 2 }, ['more', 'same']],
  [{ vulnerabilitiesMin: 1, vulnerabilitiesMax: 4 }, ['some']],
])('the list filtered by %j has the matching projects', async (filter, expected) => {
  const page = await read(projectListSchemas.filter.parse(filter));
  expect(names(page)).toEqual(expected);
  expect(page.total).toBe(expected.length);
});

it.each(['assets', '-assets', 'threats', '-threats', 'vulnerabilities', '-vulnerabilities'] as const)(
  'a list sorted by %s returns each project once and in order by cursor',
  async (sort) => {
    const collected: Counted[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const step: Page<Counted> = await read({ sort, pageSize: 2, ...(cursor === '' ? {} : { cursor }) });
      collected.push(...step.rows);
      cursor = step.nextCursor;
    }
    const field = sort.replace('-', '') as 'assets' | 'threats' | 'vulnerabilities';
    const values = collected.map((row) => row[field]);
    expect(new Set(collected.map(({ id }) => id)).size).toBe(projects.length);
    expect(values).toEqual(values.toSorted((a, b) => (sort.startsWith('-') ? b - a : a - b)));
    expect(new Set(values).size).toBeGreaterThan(1);
  },
);

it('the names of projects are read without their counts', async () => {
  const { rows, total } = await inside((trx) =>
    listPage<{ id: string; name: string }>(trx, projectNames, { page: 1, pageSize: 2, sort: 'name' }),
  );
  expect(rows.map((row) => Object.keys(row).toSorted())).toEqual(rows.map(() => ['id', 'name', 'sorted_by']));
  expect(rows.map(({ name }) => name)).toEqual(['bare', 'more']);
  expect(total).toBe(projects.length);
});

it.each(['threat', 'vulnerability'])('each %s of an asset is read in the index alone', async (table) => {
  const { rows } = await inside(async (trx) => {
    // Without many rows the planner would read the table.
    await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
    return sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select l.${sql.ref(`${table}_id`)} from ${sql.table(`${table}_asset`)} l
      where l.organization_id = current_organization() and l.asset_id = ${newId()}`.execute(trx);
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain(`Index Only Scan using ${table}_asset_by_asset`);
});
