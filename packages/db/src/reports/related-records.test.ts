import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropAssertions, type RecordTableName } from './assertions.ts';
import { newId } from '../new-id.ts';
import { relatedRecords } from './related-records.ts';
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

/** A report whose records are extracted from the objects with the ids `<key>--1`, or from these. */
async function file(
  name: string,
  { table, keys = [], objects }: { table?: RecordTableName; keys?: string[]; objects?: string[] } = {},
): Promise<string> {
  const { fileId } = await makeFile(database, organizationId, { name, keys, ...(table && { table }) });
  await inside((trx) =>
    sql`
      update report_record set stix_id = ids[1], source_ids = ids
      from (select id as row_id, coalesce(${objects ?? null}::text[], array[key || '--1']) as ids from report_record) named
      where file_id = ${fileId} and id = row_id`.execute(trx),
  );
  return fileId;
}

const relate = (fileId: string, ...relations: [source: string, type: string, target: string][]) =>
  inside(async (trx) => {
    const reading = newId();
    await trx
      .insertInto('report_relation')
      .values(
        relations.map(([source_id, type, target_id], ordinal) => ({
          organization_id: organizationId,
          file_id: fileId,
          reading,
          ordinal,
          n: 0,
          type,
          source_id,
          target_id,
        })),
      )
      .execute();
  });

const idOf = async (table: RecordTableName, key: string): Promise<string> => {
  const found = await inside((trx) =>
    trx.selectFrom(table).select('id').where('key', '=', key).executeTakeFirst(),
  );
  return found?.id ?? newId();
};

/** 'name: type of file, type of file' for each related record. */
async function relatedTo(table: RecordTableName, key: string): Promise<string[]> {
  const id = await idOf(table, key);
  const { related } = await inside((trx) => relatedRecords(trx, table, id));
  return related.map(
    ({ name, relations }) => `${name}: ${relations.map((one) => `${one.type} of ${one.file}`).join(', ')}`,
  );
}

describe('the records that reports relate to a record', () => {
  it('are vulnerabilities of a threat and threats of a vulnerability, by name, with type and report', async () => {
    await file('threats', { table: 'threat', keys: ['Emotet', 'Dridex'] });
    const both = await file('vulnerabilities', { keys: ['CVE-2', 'CVE-1', 'CVE-3'] });
    await relate(
      both,
      ['Emotet--1', 'exploits', 'CVE-2--1'],
      ['Emotet--1', 'targets', 'CVE-1--1'],
      ['Dridex--1', 'has', 'CVE-2--1'],
    );
    expect(await relatedTo('threat', 'Emotet')).toEqual([
      'CVE-1: targets of vulnerabilities',
      'CVE-2: exploits of vulnerabilities',
    ]);
    expect(await relatedTo('vulnerability', 'CVE-2')).toEqual([
      'Dridex: has of vulnerabilities',
      'Emotet: exploits of vulnerabilities',
    ]);
    expect(await relatedTo('vulnerability', 'CVE-3')).toEqual([]);
    expect(await relatedTo('threat', 'unknown')).toEqual([]);
  });

  it('are found whichever reports have the records and the relation', async () => {
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    await file('vulnerability', { keys: ['CVE-1'] });
    const [first, second] = [await file('first'), await file('second')];
    await relate(first, ['Emotet--1', 'exploits', 'CVE-1--1'], ['Emotet--1', 'exploits', 'CVE-1--1']);
    await relate(second, ['Emotet--1', 'exploits', 'CVE-1--1'], ['Emotet--1', 'has', 'CVE-1--1']);
    const id = await idOf('threat', 'Emotet');
    expect(await inside((trx) => relatedRecords(trx, 'threat', id))).toEqual({
      related: [
        {
          id: await idOf('vulnerability', 'CVE-1'),
          name: 'CVE-1',
          score: null,
          relations: [
            { type: 'exploits', fileId: second, file: 'second' },
            { type: 'exploits', fileId: first, file: 'first' },
            { type: 'has', fileId: second, file: 'second' },
          ],
          relationTotal: 3,
        },
      ],
      total: 1,
    });
  });

  it('are found by every object that one report merges into a vulnerability', async () => {
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    const merged = await file('merged', { keys: ['CVE-1'], objects: ['one', 'two', 'three'] });
    await relate(merged, ['Emotet--1', 'exploits', 'two']);
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-1: exploits of merged']);
    expect(await relatedTo('vulnerability', 'CVE-1')).toEqual(['Emotet: exploits of merged']);
  });

  it('are no longer related when the report that says so is deleted, or the other record', async () => {
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    await file('vulnerabilities', { keys: ['CVE-1', 'CVE-2'] });
    const [first, second] = [await file('first'), await file('second')];
    await relate(first, ['Emotet--1', 'exploits', 'CVE-1--1']);
    await relate(second, ['Emotet--1', 'exploits', 'CVE-2--1']);
    await inside(async (trx) => {
      await dropAssertions(trx, [first]);
      await trx.deleteFrom('report_file').where('id', '=', first).execute();
    });
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2: exploits of second']);
    await inside((trx) => trx.deleteFrom('vulnerability').where('key', '=', 'CVE-2').execute());
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
  });

  it('are those of the organization', async () => {
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    const mine = organizationId;
    organizationId = await makeOrganization(database);
    await relate(await file('theirs', { keys: ['CVE-1'] }), ['Emotet--1', 'exploits', 'CVE-1--1']);
    organizationId = mine;
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
    await relate(await file('mine'), ['Emotet--1', 'exploits', 'CVE-1--1']);
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
  });

  it('are 100 of any number, and 5 reports of any number for each type', async () => {
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    const keys = Array.from({ length: 101 }, (_, n) => `CVE-${String(n).padStart(3, '0')}`);
    const all = await file('all', { keys });
    await relate(all, ...keys.map((key): [string, string, string] => ['Emotet--1', 'exploits', `${key}--1`]));
    for (let n = 1; n <= 5; n += 1)
      await relate(await file(`more ${n}`), ['Emotet--1', 'exploits', 'CVE-000--1']);
    const id = await idOf('threat', 'Emotet');
    const { related, total } = await inside((trx) => relatedRecords(trx, 'threat', id));
    expect([related.length, total, related.at(-1)?.name]).toEqual([100, 101, 'CVE-099']);
    expect([related[0]?.relations.map((one) => one.file), related[0]?.relationTotal]).toEqual([
      ['more 5', 'more 4', 'more 3', 'more 2', 'more 1'],
      6,
    ]);
  });
});

describe('in an organization with many records and relations', () => {
  const count = 3000;
  const idOfRow = (kind: 1 | 2, n: number) => `${kind}0000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

  /** Each threat exploits the vulnerability of its number and the next two; one report has them all. */
  async function fill(admin: Client): Promise<void> {
    const { fileId } = await makeFile(database, organizationId, { name: 'all' });
    // Without triggers, which would check every row.
    await admin.query('set session_replication_role = replica');
    for (const [kind, table, type] of [
      [1, 'threat', 'malware'],
      [2, 'vulnerability', 'vulnerability'],
    ] as const) {
      const row = `('${kind}0000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid`;
      await admin.query(
        `insert into ${table} (organization_id, id, key, name)
         select $1, ${row}, 'key ' || n, 'No. ' || n from generate_series(1, ${count}) n`,
        [organizationId],
      );
      await admin.query(
        `insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, stix_id, source_ids, state,
           location, name, data, ${table}_id)
         select $1, $2, ${row}, '${table}', 'key ' || n, n, '${type}', '${type}--' || n, array['${type}--' || n], 'active',
           '', 'No. ' || n, '{}', ${row} from generate_series(1, ${count}) n`,
        [organizationId, fileId],
      );
    }
    await admin.query(
      `insert into report_relation (organization_id, file_id, reading, ordinal, n, type, source_id, target_id)
       select $1, $2, $1, n, next, 'exploits', 'malware--' || n, 'vulnerability--' || (n + next)
       from generate_series(1, ${count}) n, generate_series(0, 2) next`,
      [organizationId, fileId],
    );
  }

  /** Rows that the transaction has read of the tables whose rows grow with reports. */
  const rowsRead = async (trx: OrganizationTransaction): Promise<number> => {
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
      where relname in ('report_record', 'report_relation', 'threat', 'vulnerability')`.execute(trx);
    return rows[0]?.read ?? 0;
  };

  it.each(['without statistics', 'with statistics'])(
    'only the rows of the related records are read, %s',
    async (moment) => {
      await withClient(database.clone.adminUrl, async (admin) => {
        await fill(admin);
        if (moment === 'with statistics')
          await admin.query('analyze report_record, report_relation, threat, vulnerability');
      });
      for (const [table, id] of [
        ['threat', idOfRow(1, 500)],
        ['vulnerability', idOfRow(2, 500)],
      ] as const)
        await inside(async (trx) => {
          const before = await rowsRead(trx);
          const { related } = await relatedRecords(trx, table, id);
          expect(related).toHaveLength(3);
          // The row of the record, and three relations with a row and a record each.
          expect((await rowsRead(trx)) - before).toBeLessThanOrEqual(10);
        });
    },
  );

  it('rows of an object that many reports repeat with its relation are read once', async () => {
    const reports = 60;
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    for (let n = 0; n < reports; n += 1)
      await relate(await file(`${n}`, { keys: ['CVE-1'] }), ['Emotet--1', 'exploits', 'CVE-1--1']);
    const id = await idOf('threat', 'Emotet');
    database.statements();
    const { related } = await inside((trx) => relatedRecords(trx, 'threat', id));
    expect(related).toMatchObject([{ name: 'CVE-1', relationTotal: reports }]);
    expect(database.statements()[0]?.rows).toBeLessThan(40 * reports);
  });

  it('a relation that many reports repeat is not compared with each of its repetitions', async () => {
    const reports = 300;
    await file('threat', { table: 'threat', keys: ['Emotet'] });
    const fileId = await file('vulnerability', { keys: ['CVE-1'] });
    const repeat = (state: string, modified: string, n: number) =>
      inside((trx) =>
        sql`
          insert into report_relation (organization_id, file_id, reading, ordinal, n, type, source_id, target_id, stix_id, modified, state)
          select current_organization(), ${fileId}, gen_random_uuid(), 0, 0, 'exploits', 'Emotet--1', 'CVE-1--1', 'relationship--1',
            ${modified}, ${state} from generate_series(1, ${n}::int)`.execute(trx),
      );
    const id = await idOf('threat', 'Emotet');
    const total = async () => (await inside((trx) => relatedRecords(trx, 'threat', id))).total;
    await repeat('active', '2025-01-01', reports);
    database.statements();
    expect(await total()).toBe(1);
    expect(database.statements()[0]?.rows).toBeLessThan(20 * reports);
    await repeat('revoked', '2024-01-01', 1);
    expect(await total()).toBe(1);
    await repeat('revoked', '2025-01-01', 1);
    expect(await total()).toBe(0);
    await repeat('active', '2025-02-01', 1);
    expect(await total()).toBe(1);
  });
});
