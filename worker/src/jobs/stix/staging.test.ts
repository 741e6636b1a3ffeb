import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type OrganizationTransaction, withOrganizationConnection } from '@riskboard/db';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportObject, ReportRecord, ReportSink } from '../../stix/report-sink.ts';
import { lockWaits } from '../../testing/crash-points.ts';
import { listedObjects } from '../../testing/listed-objects.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';
import { stagedName } from './staged-table.ts';
import { stage } from './staging.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  harness = await harnesses.open();
});
afterAll(() => harnesses.close());

/** Bytes of the report. */
const size = 1_000_000;

const unmapped = (ordinal: number, type = 'sighting'): ReportObject => ({
  ordinal,
  type,
  stixId: null,
  location: `/objects/${ordinal}`,
  outcome: 'unmapped',
  reason: 'Not a record of the product',
});

const record: ReportRecord = {
  ordinal: 0,
  object: { type: 'threat-actor', stixId: 'threat-actor--1' },
  location: '/objects/0',
  kind: 'threat',
  key: 'threat-actor--1',
  type: 'threat-actor',
  stixId: 'threat-actor--1',
  stixVersion: '2.1',
  modified: null,
  state: 'active',
  name: 'Night Pilots',
  data: {},
};

type Work = (trx: OrganizationTransaction, connection: pg.PoolClient) => Promise<void>;
const inTransaction = (work: Work) =>
  withOrganizationConnection(harness.database, harness.organizationId, work);

const listed = (fileId: string) => listedObjects(harness, fileId);

/** Adds an object larger than a batch before each of `flushes` flushes. */
async function manyObjects(sink: ReportSink, flushes: number, flushed: () => void): Promise<void> {
  for (let ordinal = 0; ordinal < flushes; ordinal += 1) {
    sink.object(unmapped(ordinal, 'x'.repeat(300_000)));
    await sink.flush();
    flushed();
  }
}

describe('staged rows of a report', () => {
  it('do not block another run of the same file, and are invisible to it', { timeout: 10_000 }, async () => {
    const fileId = newId();
    const own = newId();
    const twin = newId();
    await inTransaction(async (_, connection) => {
      await stage(connection, { fileId, id: own, size }, async (sink) => sink.object(unmapped(0)));
      await inTransaction(async (_, other) => {
        await stage(other, { fileId, id: twin, size }, async (sink) => sink.object(unmapped(0)));
      });
      expect((await listed(fileId)).map((row) => row.reading)).toEqual([twin]);
    });
    expect((await listed(fileId)).map((row) => row.reading).toSorted()).toEqual([own, twin].toSorted());
  });

  it('are stored unchanged with any text', async () => {
    const fileId = newId();
    const texts = ['"', '\\', '\\"', '{a,b}', 'NULL', '', ' ', "'", 'a\nb\tc\r', '\\N', '𝄞…'];
    await inTransaction(async (_, connection) => {
      await stage(connection, { fileId, id: newId(), size }, async (sink) => {
        for (const [ordinal, text] of texts.entries())
          sink.object({ ...unmapped(ordinal, text), stixId: text, reason: text });
      });
    });
    const rows = await listed(fileId);
    expect(rows.map((row) => row.type)).toEqual(texts);
    expect(rows.map((row) => row.stix_id)).toEqual(texts);
    expect(rows.map((row) => row.reason)).toEqual(texts);
  });

  it('end the reading when they take many times the size of the report', async () => {
    const run = inTransaction(async (_, connection) => {
      await stage(connection, { fileId: newId(), id: newId(), size: 1000 }, async (sink) => {
        for (;;) {
          sink.record({ ...record, data: { description: 'x'.repeat(1_000_000) } });
          await sink.flush();
        }
      });
    });
    await expect(run).rejects.toThrow(/take many times its size/u);
  });

  it('are in a table that stays in the session, empty after each reading', async () => {
    const find = async (connection: pg.PoolClient) => {
      const { rows } = await connection.query<{ session: number; table: number; records: number }>(
        `select pg_backend_pid() as session, '${stagedName}'::regclass::oid::int as table, (select count(*)::int from ${stagedName}) as records`,
      );
      return rows[0];
    };
    const found: Awaited<ReturnType<typeof find>>[] = [];
    for (let reading = 0; reading < 2; reading += 1) {
      await inTransaction(async (_, connection) => {
        await stage(connection, { fileId: newId(), id: newId(), size }, async (sink) => sink.record(record));
        found.push(await find(connection));
      });
      await inTransaction(async (_, connection) => void found.push(await find(connection)));
    }
    const [first] = found;
    expect(found).toEqual([1, 0, 1, 0].map((records) => ({ ...first, records })));
  });

  it('make the reader wait when the server is slower', async () => {
    const fileId = newId();
    let flushes = 0;
    let reading: Promise<void> | undefined;
    await inTransaction(async (_, blocker) => {
      // An uncommitted row with the same key blocks the reader's first statement.
      const reader = { fileId, id: newId(), size };
      await stage(blocker, reader, async (sink) => sink.object(unmapped(0)));
      reading = inTransaction(async (_, connection) => {
        await stage(connection, reader, (sink) => manyObjects(sink, 100, () => (flushes += 1)));
      });
      await lockWaits(harness.database);
      // Long enough to read everything many times.
      await sleep(300);
      expect(flushes).toBeLessThan(20);
      await blocker.query(`delete from report_object_group where file_id = '${fileId}'`);
    });
    await reading;
    expect(flushes).toBe(100);
    expect(await listed(fileId)).toHaveLength(100);
  });

  it('are discarded when the database fails, and the reader gets the error', async () => {
    const fileId = newId();
    let flushes = 0;
    const twice = async (sink: ReportSink) => {
      await manyObjects(sink, 1, () => undefined);
      await manyObjects(sink, 100, () => (flushes += 1));
    };
    const run = inTransaction(async (_, connection) => {
      await stage(connection, { fileId, id: newId(), size }, twice);
    });
    await expect(run).rejects.toThrow(/report_object_group_pkey/u);
    expect(flushes).toBeLessThan(100);
    expect(await listed(fileId)).toEqual([]);
  });

  it('are discarded when the report is malformed, and the connection stays usable', async () => {
    const fileId = newId();
    await inTransaction(async (trx, connection) => {
      await connection.query('savepoint before');
      const broken = stage(connection, { fileId, id: newId(), size }, async (sink) => {
        await manyObjects(sink, 3, () => undefined);
        throw new Error('malformed');
      });
      await expect(broken).rejects.toThrow('malformed');
      await connection.query('rollback to before');
      expect(
        await trx.selectFrom('report_object_group').selectAll().where('file_id', '=', fileId).execute(),
      ).toEqual([]);
    });
  });
});
