import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteFiles, type FileDeletion } from './delete-files.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';

let database: RecordedDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openRecorded();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);
const file = async (name: string, keys: string[]) =>
  (await makeFile(database, organizationId, { name, keys })).fileId;
const remove = (deletion: FileDeletion) => inside((trx) => deleteFiles(trx, deletion));
const left = () =>
  inside((trx) => trx.selectFrom('vulnerability').select(['key', 'source_file']).orderBy('key').execute());

/** Reports that assert the same 50 records. @returns their ids */
async function feed(reports: number): Promise<string[]> {
  const ids = [
    await file(
      'feed 0',
      Array.from({ length: 50 }, (_, n) => `K${n}`),
    ),
  ];
  for (let n = 1; n < reports; n += 1) {
    const id = await file(`feed ${n}`, []);
    await inside((trx) =>
      sql`
        insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data, vulnerability_id)
        select organization_id, ${id}, gen_random_uuid(), kind, key, ordinal, type, state, location, name, data, vulnerability_id
        from report_record where organization_id = current_organization() and file_id = ${ids[0]}`.execute(
        trx,
      ),
    );
    ids.push(id);
  }
  return ids;
}

it.each([
  ['all reports', 0],
  ['all reports but one', 1],
])(
  'the rows that a deletion of %s that share records reads do not grow with the square of their number',
  async (_what, kept) => {
    const rowsRead = async (reports: number) => {
      organizationId = await makeOrganization(database);
      const ids = await feed(reports + kept);
      database.statements();
      await remove({ ids: ids.slice(kept) });
      return database.statements().reduce((sum, { rows }) => sum + rows, 0);
    };
    expect((await rowsRead(40)) / (await rowsRead(10))).toBeLessThan(5);
    expect(await left()).toHaveLength(kept * 50);
  },
);

it.each([1, 3, 100])(
  'reports that share records are deleted as one set, in batches of about %s rows',
  async (batchSize) => {
    const ids = [
      await file('a', ['1', '2', '3', 'edited']),
      await file('b', ['2', '3', '4', 'kept']),
      await file('c', []),
      await file('d', ['3', '5', 'kept']),
    ];
    const other = await file('other', ['kept']);
    await inside(async (trx) => {
      await sql`update vulnerability set source_file = 'd' where key in ('3', '5', 'kept')`.execute(trx);
      await sql`update vulnerability set edited_fields = '{name}' where key = 'edited'`.execute(trx);
    });
    const progress: number[] = [];
    const deleted = await remove({ ids, batchSize, onProgress: (done) => progress.push(done) });
    expect(deleted.files.map(({ name, dropped }) => [name, dropped])).toEqual([
      ['a', { vulnerability: 1, threat: 0 }],
      ['b', { vulnerability: 2, threat: 0 }],
      ['c', { vulnerability: 0, threat: 0 }],
      ['d', { vulnerability: 2, threat: 0 }],
    ]);
    const changes = deleted.records.vulnerability;
    expect([changes.deleted.count, changes.updated.count]).toEqual([5, 2]);
    expect(await left()).toEqual([
      { key: 'edited', source_file: '' },
      { key: 'kept', source_file: 'other' },
    ]);
    const files = await inside((trx) =>
      trx.selectFrom('report_file').select(['id', 'vulnerability_count']).execute(),
    );
    expect(files).toEqual([{ id: other, vulnerability_count: 1 }]);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(4);
    expect(progress.length).toBe(batchSize === 100 ? 1 : batchSize === 3 ? 4 : 7);
  },
);

it('an error in the progress of a deletion leaves everything as it was', async () => {
  const ids = [await file('a', ['1', '2']), await file('b', ['2', '3'])];
  const before = await left();
  const stop = () => {
    throw new Error('cancelled');
  };
  await expect(remove({ ids, batchSize: 1, onProgress: stop })).rejects.toThrow('cancelled');
  expect(await left()).toEqual(before);
});

it('records that several deleted reports withdraw are active again', async () => {
  const kept = await file('kept', ['1', '2']);
  const ids = [await file('b', []), await file('c', [])];
  for (const id of ids)
    await inside((trx) =>
      sql`
        insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data)
        select organization_id, ${id}, gen_random_uuid(), kind, key, ordinal, type, 'revoked', location, name, data
        from report_record where organization_id = current_organization() and file_id = ${kept}`.execute(trx),
    );
  await inside((trx) => sql`update vulnerability set withdrawn = 'revoked'`.execute(trx));
  const { records } = await remove({ ids, batchSize: 1 });
  expect(records.vulnerability.updated.count).toBe(2);
  expect(await inside((trx) => trx.selectFrom('vulnerability').select('withdrawn').execute())).toEqual([
    { withdrawn: null },
    { withdrawn: null },
  ]);
});
