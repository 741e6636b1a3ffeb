import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropAssertions, dropOrphans, renameSource } from './assertions.ts';
import { newId } from '../new-id.ts';
import { makeFile, makeOrganization } from '../test/organization.ts';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';

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
const file = async (name: string, keys: string[]) =>
  (await makeFile(database, organizationId, { name, keys })).fileId;
const left = () =>
  inside(async (trx) => {
    const rows = await trx
      .selectFrom('vulnerability')
      .select(['key', 'source_file'])
      .orderBy('key')
      .execute();
    return rows.map((row) => `${row.key} of ${row.source_file}`);
  });
const counts = (fileId: string) =>
  inside((trx) =>
    trx
      .selectFrom('report_file')
      .select(['vulnerability_count', 'threat_count'])
      .where('id', '=', fileId)
      .executeTakeFirst(),
  );

describe('taking back what a file asserts', () => {
  it('drops what only it asserted and says how many', async () => {
    const first = await file('first', ['A', 'B']);
    await file('second', ['B']);
    await makeFile(database, organizationId, { name: 'third', keys: ['T'], table: 'threat' });
    expect(await inside((trx) => dropAssertions(trx, first))).toEqual({ vulnerability: 1, threat: 0 });
    expect(await left()).toEqual(['B of second']);
    expect(await counts(first)).toEqual({ vulnerability_count: 0, threat_count: 0 });
    expect(await inside((trx) => trx.selectFrom('threat').select('key').execute())).toEqual([{ key: 'T' }]);
  });

  it('twice is as once', async () => {
    const first = await file('first', ['A']);
    await inside((trx) => dropAssertions(trx, first));
    expect(await inside((trx) => dropAssertions(trx, first))).toEqual({ vulnerability: 0, threat: 0 });
  });

  it('names the newest file that is left, whatever order they were made in', async () => {
    const old = await file('old', ['A']);
    await file('middle', ['A']);
    const newest = await file('newest', ['A']);
    await inside((trx) => dropAssertions(trx, newest));
    expect(await left()).toEqual(['A of middle']);
    await inside((trx) => dropAssertions(trx, old));
    expect(await left()).toEqual(['A of middle']);
  });

  it("keeps a person's record, without a source", async () => {
    const only = await file('only', ['edited', 'made', 'neither']);
    await inside(async (trx) => {
      await sql`update vulnerability set edited_fields = '{name}' where key = 'edited'`.execute(trx);
      await sql`update vulnerability set created_by = ${newId()} where key = 'made'`.execute(trx);
    });
    expect(await inside((trx) => dropAssertions(trx, only))).toEqual({ vulnerability: 1, threat: 0 });
    expect(await left()).toEqual(['edited of ', 'made of ']);
  });

  it('never reaches another organisation', async () => {
    const mine = await file('same', ['A']);
    const other = await makeOrganization(database);
    const theirs = await makeFile(database, other, { name: 'same', keys: ['A'] });
    await inside((trx) => dropAssertions(trx, theirs.fileId));
    await inside((trx) => dropAssertions(trx, mine));
    organizationId = other;
    expect(await left()).toEqual(['A of same']);
  });
});

describe('dropping orphans', () => {
  it('drops none that a file still asserts, and nothing for no ids', async () => {
    await file('first', ['A']);
    const ids = await inside((trx) => trx.selectFrom('vulnerability').select('id').execute());
    const drop = (list: string[]) => inside((trx) => dropOrphans(trx, 'vulnerability', list));
    expect(await drop(ids.map((row) => row.id))).toBe(0);
    expect(await drop([])).toBe(0);
    await inside((trx) => sql`update report_record set vulnerability_id = null`.execute(trx));
    expect(await drop(ids.map((row) => row.id))).toBe(1);
    expect(await left()).toEqual([]);
  });
});

it('a file that is renamed is followed by the records that name it', async () => {
  await file('Report.json', ['A']);
  await file('other.json', ['B']);
  await inside((trx) => renameSource(trx, 'Report.json', 'REPORT.json'));
  expect(await left()).toEqual(['A of REPORT.json', 'B of other.json']);
});

describe('the counts of a file', () => {
  it('follow every link that is made, moved and cut', async () => {
    const fileId = await file('first', ['A', 'B']);
    expect(await counts(fileId)).toEqual({ vulnerability_count: 2, threat_count: 0 });
    await inside((trx) => sql`delete from vulnerability where key = 'A'`.execute(trx));
    expect(await counts(fileId)).toEqual({ vulnerability_count: 1, threat_count: 0 });
    await inside((trx) => sql`update report_record set vulnerability_id = null`.execute(trx));
    expect(await counts(fileId)).toEqual({ vulnerability_count: 0, threat_count: 0 });
    await inside((trx) =>
      sql`update report_record r set vulnerability_id = v.id from vulnerability v where v.key = r.key`.execute(
        trx,
      ),
    );
    expect(await counts(fileId)).toEqual({ vulnerability_count: 1, threat_count: 0 });
    await inside((trx) => sql`delete from report_record`.execute(trx));
    expect(await counts(fileId)).toEqual({ vulnerability_count: 0, threat_count: 0 });
  });
});
