import { randomBytes } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCluster } from './cluster.ts';
import { isAlive } from '../process/end-process.ts';
import { clearOrphan, readPostmaster } from './orphan.ts';
import { provision } from './provision.ts';
import { overSocket } from './socket.ts';

const password = randomBytes(12).toString('hex');
const admin = { name: 'postgres', password };
const settings = { fsync: 'off' };
const isRoot = process.getuid?.() === 0;
let home = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'riskboard-cluster-'));
  await chmod(home, 0o711);
});

afterEach(async () => {
  await clearOrphan(join(home, 'postgres'));
  await rm(home, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startCluster', () => {
  it('listens on the loopback address and a socket in its closed folder only, and requires the password', async () => {
    const cluster = await startCluster({ home, password, settings });
    const data = join(home, 'postgres');
    const shown = `select current_setting('listen_addresses') as a, inet_client_addr() is null as "bySocket"`;
    const [url, wrong] = [password, 'wrong'].map((each) =>
      cluster.url({ ...admin, password: each }, 'postgres'),
    );
    expect(await query(url ?? '', shown)).toEqual([{ a: '127.0.0.1', bySocket: false }]);
    expect(await query(overSocket(url ?? '', data), shown)).toEqual([{ a: '127.0.0.1', bySocket: true }]);
    expect((await stat(data)).mode & 0o077).toBe(0);
    for (const refused of [wrong ?? '', overSocket(wrong ?? '', data)])
      await expect(query(refused, 'select 1')).rejects.toThrow(/password authentication failed/);
    await cluster.stop();
    expect(isAlive(cluster.pid)).toBe(false);
  });

  it('sorts names by ICU rules, the same on every machine', async () => {
    const cluster = await startCluster({ home, password, settings });
    const names = `select string_agg(n, ' ' order by n) as names from unnest('{nginx,Apache,Änderung,openssl}'::text[]) n`;
    expect(await query(cluster.url(admin, 'postgres'), names)).toEqual([
      { names: 'Änderung Apache nginx openssl' },
    ]);
    await cluster.stop();
  });

  it('makes trigrams of every script, whose letters have the same case under each character type', async () => {
    const cluster = await startCluster({ home, password, settings });
    const url = cluster.url(admin, 'postgres');
    await query(url, 'create extension pg_trgm');
    await query(url, `create database other template template0 lc_ctype 'C'`);
    const trigrams = `select text from unnest('{Bank,Сервер,東京サーバ,กรุงเทพ,خادم}'::text[]) text where show_trgm(text) = '{}'`;
    expect(await query(url, trigrams)).toEqual([]);
    const cases = `select md5(string_agg(lower(chr(n)) || upper(chr(n)), '' order by n)) as cases
      from generate_series(1, 150000) n where n not between 55296 and 57343`;
    expect(await query(url, cases)).toEqual(await query(cluster.url(admin, 'other'), cases));
    await cluster.stop();
  });

  it('replaces a server that a killed start left running, and keeps its data', async () => {
    const first = await startCluster({ home, password, settings });
    await query(first.url(admin, 'postgres'), 'create table kept as select 7 as n');
    const second = await startCluster({ home, password, settings, port: first.port });
    expect(isAlive(first.pid)).toBe(false);
    expect(second.port).toBe(first.port);
    expect(await query(second.url(admin, 'postgres'), 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });

  it('starts after the server was killed', async () => {
    const first = await startCluster({ home, password, settings });
    await query(first.url(admin, 'postgres'), 'create table kept as select 7 as n');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await startCluster({ home, password, settings, replaces: first });
    expect(second).toMatchObject({ port: first.port, hasSocket: first.hasSocket });
    const url = overSocket(second.url(admin, 'postgres'), join(home, 'postgres'));
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });

  it('is not held up by a process number that now belongs to another program', async () => {
    const first = await startCluster({ home, password, settings });
    await first.stop();
    const data = join(home, 'postgres');
    await writeFile(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n0\n5432\n\n\n\nready\n`);
    // A process of the server's own user: of others PostgreSQL does not see whether they live.
    const { uid, gid } = await stat(data);
    const other = spawn('sleep', ['60'], { uid, gid });
    const lock = join(data, `.s.PGSQL.${first.port}.lock`);
    await writeFile(lock, `${other.pid}\n${data}\n0\n${first.port}\n.\n`);
    await chown(lock, uid, gid);
    const second = await startCluster({ home, password, settings, port: first.port });
    expect(second.port).toBe(first.port);
    expect((await readPostmaster(data))?.pid).toBe(second.pid);
    other.kill();
    await second.stop();
  });

  it('listens over TCP alone where its folder cannot have a socket', async () => {
    const deep = join(home, 'a folder with a long name '.repeat(5).trim());
    await mkdir(deep, { mode: 0o711 });
    const cluster = await startCluster({ home: deep, password, settings });
    const url = cluster.url(admin, 'postgres');
    expect(cluster.hasSocket).toBe(false);
    expect(overSocket(url, join(deep, 'postgres'))).toBe(url);
    expect(await query(url, `select current_setting('unix_socket_directories') as s`)).toEqual([{ s: '' }]);
    await cluster.stop();
  });

  it('ends a start that waits for recovery when its signal aborts', async () => {
    const first = await startCluster({ home, password, settings });
    await first.stop();
    const data = join(home, 'postgres');
    const { uid, gid } = await stat(data);
    await writeFile(join(data, 'recovery.signal'), '');
    await chown(join(data, 'recovery.signal'), uid, gid);
    const stop = new AbortController();
    const recovering = { ...settings, restore_command: 'sleep 60' };
    const starting = startCluster({ home, password, settings: recovering, signal: stop.signal });
    await expect.poll(async () => (await readPostmaster(data))?.ready).toBe(false);
    stop.abort();
    await expect(starting).rejects.toThrow('aborted');
    expect(await readPostmaster(data)).toBeUndefined();
  });

  it('names no reason of an earlier start', async () => {
    const first = await startCluster({ home, password, settings });
    await first.stop();
    await appendFile(join(home, 'postgres.log'), 'FATAL:  reason of an earlier start\n');
    // Of this PostgreSQL writes a message without a level.
    await rm(join(home, 'postgres/global/pg_control'));
    await expect(startCluster({ home, password, settings })).rejects.toThrow(
      'does not start: no reason given',
    );
  });

  it('uses another port when its port is in use', async () => {
    const { createServer } = await import('node:net');
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const cluster = await startCluster({ home, password, settings, port });
    expect(cluster.port).not.toBe(port);
    await cluster.stop();
    other.close();
  });

  it('starts after an interrupted creation of the data folder', async () => {
    await writeFile(join(home, 'postgres.draft'), 'half');
    const cluster = await startCluster({ home, password, settings });
    await cluster.stop();
    await expect(stat(join(home, 'postgres.draft'))).rejects.toThrow(/ENOENT/);
    await expect(stat(join(home, 'postgres.password'))).rejects.toThrow(/ENOENT/);
  });

  it.runIf(isRoot)('keeps its data in a folder that the user of the server may not enter', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'riskboard-closed-'));
    const inner = join(closed, 'data');
    await mkdir(inner, { mode: 0o700 });
    const cluster = await startCluster({ home: inner, password, settings });
    try {
      await query(cluster.url(admin, 'postgres'), 'create table kept as select 7 as n');
      expect((await stat(join(inner, 'postgres/PG_VERSION'))).uid).not.toBe(0);
      await cluster.stop();
      // As `cp -r` by root makes it.
      execFileSync('chown', ['-R', '0:0', join(inner, 'postgres')]);
      const second = await startCluster({ home: inner, password, settings });
      expect(await query(second.url(admin, 'postgres'), 'select n from kept')).toEqual([{ n: 7 }]);
    } finally {
      await clearOrphan(join(inner, 'postgres'));
      await rm(closed, { recursive: true, force: true });
    }
  });

  it('refuses a data folder of another PostgreSQL release', async () => {
    const cluster = await startCluster({ home, password, settings });
    await cluster.stop();
    await writeFile(join(home, 'postgres/PG_VERSION'), '17\n');
    await expect(startCluster({ home, password, settings })).rejects.toThrow(/created by PostgreSQL 17/);
  });
});

describe('provision', () => {
  it('creates the owner and its database once, and sets the password each time', async () => {
    const cluster = await startCluster({ home, password, settings });
    const url = cluster.url(admin, 'postgres');
    await provision(url, { name: 'riskboard', password: 'one' }, { database: 'riskboard' });
    await provision(url, { name: 'riskboard', password: 'two' }, { database: 'riskboard' });
    const rights = await query(
      cluster.url({ name: 'riskboard', password: 'two' }, 'riskboard'),
      `select rolsuper, rolcreaterole, rolcreatedb, pg_get_userbyid(datdba) as owner
         from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    expect(rights).toEqual([
      { rolsuper: false, rolcreaterole: true, rolcreatedb: false, owner: 'riskboard' },
    ]);
    await cluster.stop();
  });
});
