import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { BadCursor, orderOf, writeCursor } from './cursor.ts';
import { listPage } from './page.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const id = '019a0000-0000-7000-8000-000000000000';

const query = { page: 1, pageSize: 5, sort: 'cvssScore' };

const after = (
  { value, id: from = id }: { value: string | null; id?: string },
  source = vulnerabilitySource,
) =>
  withOrganization(database, organizationId, (trx) =>
    listPage(trx, source, {
      ...query,
      cursor: writeCursor({ sort: orderOf(source, query), value, id: from, total: 7 }),
    }),
  );

it('a cursor carries the total, and the next page may be empty', async () => {
  const empty = { rows: [], total: 7, page: 1, pageSize: 5, nextCursor: null };
  expect(await after({ value: '9.8' })).toEqual(empty);
  expect(await after({ value: null })).toEqual(empty);
});

it.each([[{ value: 'high' }], [{ value: '9\0' }], [{ value: '9', id: 'x' }], [{ value: null, id: '\0' }]])(
  'a cursor with %j is refused as malformed',
  async (at) => {
    await expect(after(at)).rejects.toBeInstanceOf(BadCursor);
  },
);

it('a failure that the cursor did not cause is thrown unchanged', async () => {
  const broken = { ...vulnerabilitySource, from: 'no_such_table r' };
  await expect(after({ value: '9.8' }, broken)).rejects.toThrow(/no_such_table/u);
});
