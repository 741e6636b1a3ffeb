import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  dropAssertions,
  dropOrphans,
  nameUploaded,
  noRecordChanges,
  type RecordChanges,
  recordEvents,
} from './assertions.ts';
import { calculateOne } from '../cwss/calculate-one.ts';
import { newId } from '../new-id.ts';
import { cwssFixtures, scorecardOf } from '../testing/cwss.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
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

/** How many records of each table were deleted and updated. */
const changeCounts = ({ vulnerability, threat }: RecordChanges) => ({
  vulnerability: [vulnerability.deleted.count, vulnerability.updated.count],
  threat: [threat.deleted.count, threat.updated.count],
});

const drop = (fileId: string): Promise<RecordChanges> =>
  inside(async (trx) => (await dropAssertions(trx, [fileId])).records);

describe('removing what a file asserts', () => {
  it('deletes the records that only this file asserted and counts them', async () => {
    const first = await file('first', ['A', 'B']);
    await file('second', ['B']);
    await makeFile(database, organizationId, { name: 'third', keys: ['T'], table: 'threat' });
    expect(changeCounts(await drop(first))).toEqual({ vulnerability: [1, 1], threat: [0, 0] });
    expect(await left()).toEqual(['B of second']);
    expect(await counts(first)).toEqual({ vulnerability_count: 0, threat_count: 0 });
    expect(await inside((trx) => trx.selectFrom('threat').select('key').execute())).toEqual([{ key: 'T' }]);
  });

  it('deletes the scores of the deleted vulnerabilities, and keeps those of the others', async () => {
    const first = await file('first', ['A', 'B']);
    await file('second', ['B']);
    const make = cwssFixtures(organizationId);
    const vignetteId = await inside((trx) => make.vignette(trx, 'Web shop', scorecardOf(7)));
    const rows = await inside((trx) => trx.selectFrom('vulnerability').select(['id', 'key']).execute());
    const origin = { by: null, jobId: null, cause: 'calculated' } as const;
    for (const { id } of rows)
      await inside((trx) => calculateOne(trx, { vulnerabilityId: id, vignetteId, ...origin }));
    await drop(first);
    const scores = await inside((trx) => trx.selectFrom('cwss_score').select('vulnerability_id').execute());
    expect(scores).toEqual([{ vulnerability_id: rows.find(({ key }) => key === 'B')?.id }]);
  });

  it('changes nothing the second time', async () => {
    const first = await file('first', ['A']);
    await inside((trx) => dropAssertions(trx, [first]));
    expect(changeCounts(await drop(first))).toEqual({ vulnerability: [0, 0], threat: [0, 0] });
  });

  it('writes the newest remaining file into records that other files assert', async () => {
    const old = await file('old', ['A']);
    await file('middle', ['A']);
    const newest = await file('newest', ['A']);
    await inside((trx) => dropAssertions(trx, [newest]));
    expect(await left()).toEqual(['A of middle']);
    await inside((trx) => dropAssertions(trx, [old]));
    expect(await left()).toEqual(['A of middle']);
  });

  it('keeps records that a user created or edited, without a source file', async () => {
    const only = await file('only', ['edited', 'made', 'neither']);
    await inside(async (trx) => {
      await sql`update vulnerability set edited_fields = '{name}' where key = 'edited'`.execute(trx);
      await sql`update vulnerability set created_by = ${newId()} where key = 'made'`.execute(trx);
    });
    expect(changeCounts(await drop(only))).toEqual({ vulnerability: [1, 2], threat: [0, 0] });
    expect(await left()).toEqual(['edited of ', 'made of ']);
  });

  it('never changes another organization', async () => {
    const mine = await file('same', ['A']);
    const other = await makeOrganization(database);
    const theirs = await makeFile(database, other, { name: 'same', keys: ['A'] });
    await inside((trx) => dropAssertions(trx, [theirs.fileId]));
    await inside((trx) => dropAssertions(trx, [mine]));
    organizationId = other;
    expect(await left()).toEqual(['A of same']);
  });
});

describe('deleting records without a file', () => {
  it('deletes none that a file still asserts, and nothing for an empty list', async () => {
    await file('first', ['A']);
    const ids = await inside((trx) => trx.selectFrom('vulnerability').select('id').execute());
    const dropped = async (list: string[]) => {
      const { vulnerability: changes } = noRecordChanges();
      await inside((trx) => dropOrphans(trx, { table: 'vulnerability', ids: list, changes }));
      return [changes.deleted.rows, changes.updated.rows];
    };
    const all = ids.map((row) => row.id);
    expect(await dropped(all)).toEqual([[], all]);
    expect(await dropped([])).toEqual([[], []]);
    await inside((trx) => sql`update report_record set vulnerability_id = null`.execute(trx));
    expect(await dropped(all)).toEqual([all, []]);
    expect(await left()).toEqual([]);
  });
});

it('an upload under another spelling renames the file in the records of which it is the newest', async () => {
  const renamed = await file('Report.json', ['A', 'C']);
  await file('other.json', ['B', 'C']);
  const changes = noRecordChanges();
  await inside(async (trx) => {
    await trx.updateTable('report_file').set({ name: 'REPORT.json' }).where('id', '=', renamed).execute();
    await nameUploaded(trx, renamed, changes);
  });
  expect(await left()).toEqual(['A of REPORT.json', 'B of other.json', 'C of other.json']);
  expect(changeCounts(changes)).toEqual({ vulnerability: [0, 1], threat: [0, 0] });
});

describe('the counts of a file', () => {
  it('are updated when a link is created, moved or deleted', async () => {
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

describe('the events of changed records', () => {
  it('carry the ids of up to 100 records, and only the number of more', async () => {
    const keys = Array.from({ length: 101 }, (_, n) => `K${n}`);
    const many = await file('many', keys);
    const few = await file('few', ['A', 'B']);
    const shared = await file('shared', ['A']);
    const ids = await inside((trx) =>
      trx
        .selectFrom('vulnerability')
        .select(['key', 'id'])
        .where('key', 'in', ['A', 'B'])
        .orderBy('key')
        .execute(),
    );
    const [a, b] = ids.map((row) => row.id);
    expect(recordEvents(await drop(many), null)).toEqual([
      { type: 'vulnerability.changed', action: 'deleted', by: null, count: 101 },
    ]);
    expect(recordEvents(await drop(few), null)).toEqual([
      { type: 'vulnerability.changed', action: 'deleted', by: null, count: 1, ids: [b] },
      { type: 'vulnerability.changed', action: 'updated', by: null, count: 1, ids: [a] },
    ]);
    expect(recordEvents(await drop(few), null)).toEqual([]);
    expect(recordEvents(await drop(shared), null)).toHaveLength(1);
  });
});

it('a deleted report whose objects all withdraw sends none of their keys to the process', async () => {
  const other = await file('other', ['withdrawn 1']);
  const fileId = await file('withdrawing', []);
  await inside((trx) =>
    sql`
      insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data)
      select current_organization(), ${fileId}, gen_random_uuid(), 'vulnerability', 'withdrawn ' || n, n, 'vulnerability',
        'revoked', '/objects/' || n, 'x', '{}' from generate_series(1, 1000) n`.execute(trx),
  );
  await inside((trx) => sql`update vulnerability set withdrawn = 'revoked'`.execute(trx));
  const query = vi.spyOn(Client.prototype, 'query');
  const changes = await drop(fileId);
  const replies = await Promise.all(
    query.mock.results.map(({ value }) => value as unknown as Promise<{ rows?: unknown[] }>),
  );
  query.mockRestore();
  expect(replies.length).toBeGreaterThan(0);
  expect(Math.max(...replies.map((reply) => reply.rows?.length ?? 0))).toBeLessThan(10);
  expect(changeCounts(changes)).toEqual({ vulnerability: [0, 1], threat: [0, 0] });
  expect(await inside((trx) => trx.selectFrom('vulnerability').select('withdrawn').execute())).toEqual([
    { withdrawn: null },
  ]);
  expect(await counts(other)).toEqual({ vulnerability_count: 1, threat_count: 0 });
});
