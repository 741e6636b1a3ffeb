import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { importObjectSource } from './import-objects.ts';
import { importRowSource } from './import-rows.ts';
import { listPage } from './page.ts';
import type { ListSource } from './source.ts';

const length = 1200;
const [own, other] = [newId(), newId()];

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, async (trx) => {
    for (const id of [own, other]) {
      await sql`
        insert into csv_import_row (organization_id, import_id, line, action, name)
        select current_organization(), ${id}, n, 'created', ${id}::text from generate_series(1, ${length}::int) n`.execute(
        trx,
      );
      await sql`
        insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, location, reason)
        select current_organization(), ${id}, ${newId()}, n, 'unmapped', 'note', ${id}::text, 'x'
        from generate_series(1, ${length}::int) n`.execute(trx);
    }
  });
});
afterAll(() => database.end());

interface Numbered {
  id: string;
  line?: number;
  ordinal?: number;
  name?: string;
  location?: string;
}

/** The rows of a page: their numbers, and the file or import that they belong to. */
async function read(source: ListSource, query: object, page: number, pageSize: number) {
  const { rows, total } = await withOrganization(database, organizationId, (trx) =>
    listPage<Numbered>(trx, source, { page, pageSize, sort: 'line', ...query }),
  );
  return {
    total,
    numbers: rows.map(({ line, ordinal }) => line ?? ordinal),
    owners: [...new Set(rows.map(({ name, location }) => name ?? location))],
  };
}

// Each has as many rows as another one of the organization, with the same numbers.
describe.each([
  ['the report of a CSV import', importRowSource, { importId: own }],
  ['the objects of a file', importObjectSource, { fileId: own, sort: 'ordinal' }],
] as const)('%s', (_, source, query) => {
  it.each([
    ['the second page', 2, 10],
    ['a page after the first 1,000 rows', 110, 10],
    ['the last page', 12, 100],
    ['a page that is read from the end', 3, 500],
  ])('has only its own rows on %s', async (_name, page, pageSize) => {
    const from = (page - 1) * pageSize;
    const numbers = Array.from({ length: Math.min(pageSize, length - from) }, (_row, n) => from + n + 1);
    expect(await read(source, query, page, pageSize)).toEqual({ total: length, numbers, owners: [own] });
  });
});
