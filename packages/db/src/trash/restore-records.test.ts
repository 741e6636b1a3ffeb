import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropAssertions } from '../reports/assertions.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreRecords } from './restore-records.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);
const file = async (name: string): Promise<string> =>
  (await makeFile(database, organizationId, { name, keys: ['A'] })).fileId;

const remove = () =>
  inside((trx) => deleteRecords(trx, { table: 'vulnerability', where: sql<boolean>`true`, by: null }));
const restore = (ids: string[]) => inside((trx) => restoreRecords(trx, 'vulnerability', ids));
const trash = () => inside((trx) => trx.selectFrom('deleted_record').select('id').execute());
const row = () =>
  inside((trx) =>
    trx.selectFrom('vulnerability').select(['id', 'name', 'source_file', 'version']).executeTakeFirst(),
  );
/** Names of the files that assert the record. */
const assertedBy = async (): Promise<string[]> => {
  const rows = await inside((trx) =>
    trx
      .selectFrom('report_record')
      .innerJoin('report_file', 'report_file.id', 'report_record.file_id')
      .select('report_file.name')
      .where('vulnerability_id', 'is not', null)
      .orderBy('report_file.name')
      .execute(),
  );
  return rows.map(({ name }) => name);
};
/** As a new version of the file does that revokes its objects. */
const revokeIn = (name: string) =>
  inside((trx) =>
    trx
      .updateTable('report_record')
      .set({ state: 'revoked' })
      .where('file_id', 'in', trx.selectFrom('report_file').select('id').where('name', '=', name))
      .execute(),
  );

describe('a restored record', () => {
  it('is no longer in the trash, and its source is the newest of its files', async () => {
    await file('older.json');
    await file('newer.json');
    const before = await row();
    const [deleted] = await remove();
    expect(await assertedBy()).toEqual([]);
    expect(await trash()).toEqual([{ id: deleted?.id }]);
    expect(await restore([deleted?.id ?? ''])).toEqual([deleted]);
    expect(await trash()).toEqual([]);
    expect(await assertedBy()).toEqual(['newer.json', 'older.json']);
    expect(await row()).toEqual(before);
    expect(before?.source_file).toBe('newer.json');
  });

  it('has the current name of a file as its source, and another file if the newest was deleted', async () => {
    await file('older.json');
    const newest = await file('newer.json');
    const [deleted] = await remove();
    await inside((trx) =>
      trx.updateTable('report_file').set({ name: 'Older.json' }).where('name', '=', 'older.json').execute(),
    );
    await inside(async (trx) => {
      await dropAssertions(trx, [newest]);
      await trx.deleteFrom('report_file').where('id', '=', newest).execute();
    });
    await restore([deleted?.id ?? '']);
    expect(await row()).toMatchObject({ source_file: 'Older.json' });
  });

  it('is asserted again by a file that has revoked it meanwhile', async () => {
    await file('a.json');
    await file('b.json');
    const [deleted] = await remove();
    await revokeIn('b.json');
    await restore([deleted?.id ?? '']);
    expect(await assertedBy()).toEqual(['a.json', 'b.json']);
    expect(await row()).toMatchObject({ source_file: 'b.json' });
  });

  it('that its only file has revoked is deleted with the file', async () => {
    const revoking = await file('a.json');
    await revokeIn('a.json');
    const [deleted] = await remove();
    await restore([deleted?.id ?? '']);
    expect(await row()).toMatchObject({ source_file: 'a.json' });
    await inside((trx) => dropAssertions(trx, [revoking]));
    expect(await row()).toBeUndefined();
  });

  it('has the values of the reports that exist now', async () => {
    await file('a.json');
    await file('b.json');
    const [deleted] = await remove();
    await inside((trx) => trx.updateTable('report_record').set({ name: 'Renamed' }).execute());
    await restore([deleted?.id ?? '']);
    expect(await row()).toMatchObject({ name: 'Renamed' });
  });
});
