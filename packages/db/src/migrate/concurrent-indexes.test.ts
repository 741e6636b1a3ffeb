import { withClient } from '@riskboard/testing';
import { applyFile } from '@riskboard/migrations';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type EmptyDatabase, makeEmptyDatabase } from '../testing/empty-database.ts';

const text = `-- Builds while others write; a comment; with semicolons.
create index concurrently item_name on item (name);
create index concurrently item_size
  on item (size) where size > 0;`;

let database: EmptyDatabase;
let db: Kysely<unknown>;
beforeEach(async () => {
  database = await makeEmptyDatabase();
  await withClient(database.url, (owner) =>
    owner.query(`create table item (name text, size integer); insert into item values ('a', 1), ('b', 2)`),
  );
  const pool = new pg.Pool({ connectionString: database.url, max: 1, options: '-c lock_timeout=300' });
  // The end of a connection fails its statement, and may be reported once more without one.
  pool.on('error', () => undefined).on('connect', (connection) => connection.on('error', () => undefined));
  db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const build = () => db.connection().execute((connection) => applyFile(connection, text));
const indexes = () =>
  withClient(database.url, async (owner) => {
    const { rows } = await owner.query<{ name: string; valid: boolean }>(
      `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
       where indrelid = 'item'::regclass order by 1`,
    );
    return rows;
  });
const finished = [
  { name: 'item_name', valid: true },
  { name: 'item_size', valid: true },
];
/** Waits until the build waits for the transaction of an old process, and returns its process id. */
const waitsForOldProcess = (): Promise<number> =>
  vi.waitFor(
    () =>
      withClient(database.adminUrl, async (admin) => {
        const { rows } = await admin.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like 'create index concurrently%'`,
        );
        if (rows[0] === undefined) throw new Error('The build does not wait.');
        return rows[0].pid;
      }),
    { interval: 20 },
  );

it('an index that an interrupted build left invalid is dropped and built again, and a finished one is kept', async () => {
  await withClient(database.url, async (oldProcess) => {
    await oldProcess.query(`begin; insert into item values ('c', 3)`);
    const interrupted = build().then(
      () => 'finished',
      (error: Error) => error.message,
    );
    const pid = await waitsForOldProcess();
    await withClient(database.adminUrl, (admin) => admin.query('select pg_terminate_backend($1)', [pid]));
    expect(await interrupted).toMatch(/terminat/u);
    await oldProcess.query('commit');
  });
  expect(await indexes()).toEqual([{ name: 'item_name', valid: false }]);
  await build();
  expect(await indexes()).toEqual(finished);
  await build();
  expect(await indexes()).toEqual(finished);
});

it('an index is built while another process writes, and waits for it longer than the lock timeout', async () => {
  await withClient(database.url, async (oldProcess) => {
    await oldProcess.query(`begin; insert into item values ('c', 3)`);
    const building = build();
    await waitsForOldProcess();
    // Longer than the lock timeout of the connection.
    await oldProcess.query('select pg_sleep(0.5)');
    await oldProcess.query(`insert into item values ('d', 4)`);
    await withClient(database.url, (writer) => writer.query(`insert into item values ('e', 5)`));
    await oldProcess.query('commit');
    await building;
  });
  expect(await indexes()).toEqual(finished);
});

it('in the transaction of a restore, which no other process sees, the indexes are built within it', async () => {
  const restoring = db.transaction().execute(async (trx) => {
    await applyFile(trx, text);
    throw new Error('interrupted');
  });
  await expect(restoring).rejects.toThrow('interrupted');
  expect(await indexes()).toEqual([]);
  await db.transaction().execute((trx) => applyFile(trx, text));
  expect(await indexes()).toEqual(finished);
});
