import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeDataFolder, readDatabaseSettings } from '../data/data-folder.ts';
import { loadSecrets } from '../data/secrets.ts';
import { startDatabase } from '../database/embedded-database.ts';
import { runDemo } from './demo.ts';
import { demoEmail, removeIncompleteDemo, type StartedDatabase } from './incomplete-demo.ts';

let started: StartedDatabase;
let written = '';
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-demo-'));
  await makeDataFolder(folder);
  const secrets = await loadSecrets(folder);
  const database = await startDatabase(folder, secrets);
  started = { folder, secrets, database, print: vi.fn<StartedDatabase['print']>() };
  // The part of the schema that decides about the demo organization.
  await query('create table account (email text not null)');
  await query('create table activity (action text not null)');
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((written += String(text)), true));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await started.database.cluster.stop();
  await rm(started.folder, { recursive: true, force: true });
});

async function query(text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: started.database.adminUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the demo organization with an api that accepts the account and then ends the product, as a signal does. */
async function interruptDemo(): Promise<void> {
  const ended = new AbortController();
  const api = createServer((request, response) => {
    if (request.url !== '/api/auth/signup') return ended.abort();
    void query('insert into account values ($1)', [demoEmail]).then(() =>
      response.writeHead(200, { 'set-cookie': 'session=1' }).end('{}'),
    );
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const { folder, database } = started;
  await runDemo({
    base,
    origin: base,
    shown: base,
    adminUrl: database.adminUrl,
    folder,
    signal: ended.signal,
  });
  api.closeAllConnections();
  api.close();
}

const tables = () => query(`select tablename from pg_tables where schemaname = 'public' order by 1`);

it('the login of the demo organization is printed before anything can interrupt it', async () => {
  await interruptDemo();
  expect(written).toMatch(/Password {5}\S{16} [\s\S]*not complete: Riskboard was stopped\. /u);
});

it('a start after an interrupted demo organization begins with an empty database, so that it is made again', async () => {
  await interruptDemo();
  await removeIncompleteDemo(started);
  expect(await tables()).toEqual([]);
  expect(await readDatabaseSettings(started.folder)).toMatchObject({ created: true });
  // The next start keeps what this one makes.
  await query('create table account (email text not null)');
  await removeIncompleteDemo(started);
  expect(await tables()).toEqual([{ tablename: 'account' }]);
});

it.each([
  ['its user has logged in', `insert into activity values ('account.signed-in')`],
  ['there is another account', `insert into account values ('ada@example.org')`],
])('an interrupted demo organization is kept when %s', async (_case, use) => {
  await interruptDemo();
  await query(use);
  await removeIncompleteDemo(started);
  expect(await tables()).toEqual([{ tablename: 'account' }, { tablename: 'activity' }]);
  expect(started.print).toHaveBeenCalledWith(
    expect.stringMatching(/stays so, because it has been used/u),
    'warn',
  );
  await removeIncompleteDemo(started);
  expect(started.print).toHaveBeenCalledOnce();
});
