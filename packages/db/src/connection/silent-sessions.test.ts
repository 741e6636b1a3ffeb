import { startProxy, type TcpProxy } from '@riskboard/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { checkSession } from './check-session.ts';
import { endSilentSessions } from './silent-sessions.ts';

let clone: OpenDatabase;
let proxy: TcpProxy;
let pool: pg.Pool;
let stop: () => void;
beforeEach(async () => {
  clone = await openClone();
  proxy = await startProxy(clone.clone.url);
  // The sessions have another role than the login, as those of the product.
  const options = '-c role=riskboard_app';
  pool = new pg.Pool({ connectionString: proxy.through(clone.clone.url), max: 2, options });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  stop = endSilentSessions(pool, { everyMs: 100 });
});
afterEach(async () => {
  stop();
  await proxy.close();
  await pool.end();
  await clone.end();
});

const sessionOf = async (client: pg.PoolClient): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
};
const exists = async (pid: number): Promise<boolean> => {
  const { rows } = await sql`select from pg_stat_activity where pid = ${pid}`.execute(clone.app);
  return rows.length > 0;
};
const ended = (pid: number) =>
  vi.waitFor(async () => expect(await exists(pid)).toBe(false), { interval: 50 });

describe('a connection whose packets are dropped without notice', () => {
  it('fails its statement, and its session ends with its locks', async () => {
    const client = await pool.connect();
    const pid = await sessionOf(client);
    await client.query('begin; select pg_advisory_xact_lock(1)');
    proxy.dropSilently();
    await expect(client.query('select 1')).rejects.toThrow('Connection terminated');
    client.release();
    await ended(pid);
    const { rows } = await pool.query<{ n: number }>('select 2 as n');
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('fails its COPY', async () => {
    const client = await pool.connect();
    const pid = await sessionOf(client);
    await client.query('create temporary table copied (n integer)');
    const copy = client.query(copyFrom('copy copied from stdin'));
    await new Promise((resolve) => copy.write('1\n', resolve));
    await vi.waitFor(async () => {
      const { rows } = await pool.query('select from pg_stat_progress_copy where pid = $1', [pid]);
      expect(rows).toHaveLength(1);
    });
    proxy.dropSilently();
    const failed = new Promise<Error>((resolve) => void copy.once('error', resolve));
    copy.end('2\n');
    expect((await failed).message).toMatch(/^Connection terminated/u);
    client.release(true);
    await ended(pid);
  });

  it('leaves no session behind when the client gives up before the check', async () => {
    const client = await pool.connect();
    const pid = await sessionOf(client);
    await client.query('begin');
    proxy.dropSilently();
    const given = client.query({ text: 'select 1', query_timeout: 50 } as pg.QueryConfig);
    await expect(given).rejects.toThrow('Query read timeout');
    client.release(true);
    await ended(pid);
  });
});

it('slow statements and idle transactions go on', async () => {
  const [slow, idle] = [await pool.connect(), await pool.connect()];
  await idle.query('begin');
  const { rows } = await slow.query<{ done: number }>('select 1 as done from pg_sleep(1.2)');
  expect(rows).toEqual([{ done: 1 }]);
  await expect(idle.query('commit')).resolves.toMatchObject({ command: 'COMMIT' });
  slow.release();
  idle.release();
});

it('slow statements go on behind a pooler, whose process ids the server does not know', async () => {
  const behindPooler = new pg.Pool({
    ...pool.options,
    onConnect: (client): unknown => {
      Object.assign(client, { processID: 1 });
      return checkSession(client, { role: 'riskboard_app', withinMs: 30_000 });
    },
  });
  behindPooler.on('connect', (client) => client.on('error', () => undefined));
  const stopChecks = endSilentSessions(behindPooler, { everyMs: 100 });
  const slow = behindPooler.query<{ done: number }>('select 1 as done from pg_sleep(1.2)');
  await expect(slow).resolves.toMatchObject({ rows: [{ done: 1 }] });
  stopChecks();
  await behindPooler.end();
});

it('statements that wait for a lock go on', async () => {
  const [one, other] = [await pool.connect(), await pool.connect()];
  await one.query('begin; select pg_advisory_xact_lock(2)');
  const waits = other.query<{ done: number }>('select 1 as done from pg_advisory_lock(2)');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await one.query('commit');
  expect((await waits).rows).toEqual([{ done: 1 }]);
  one.release();
  other.release();
});
