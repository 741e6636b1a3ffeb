import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataFolder } from '../data/data-folder.ts';
import { loadSecrets, saveSecrets } from '../data/secrets.ts';
import { type EmbeddedDatabase, startDatabase } from './embedded-database.ts';

let outer = '';
let folder = '';
const running: EmbeddedDatabase[] = [];
beforeEach(async () => {
  // mkdtemp creates a folder that others may not enter, like root's home.
  outer = await mkdtemp(join(tmpdir(), 'riskboard-database-'));
  folder = join(outer, 'data');
  await makeDataFolder(folder);
});
afterEach(async () => {
  await stopAll();
  await rm(outer, { recursive: true, force: true });
});

async function start(at: string): Promise<EmbeddedDatabase> {
  const database = await startDatabase(at, await loadSecrets(at));
  running.push(database);
  return database;
}

const stopAll = () => Promise.all(running.splice(0).map(({ cluster }) => cluster.stop()));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

it('a copy of a data folder has its own database with the same content, and both run at once', async () => {
  const first = await start(folder);
  await query(first.addresses.ownerUrl, 'create table kept as select 7 as n');
  await stopAll();
  const copy = join(outer, 'copy');
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  const [original, copied] = [await start(folder), await start(copy)];
  await query(copied.addresses.ownerUrl, 'update kept set n = 8');
  expect(await query(original.addresses.ownerUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(await query(copied.addresses.ownerUrl, 'select n from kept')).toEqual([{ n: 8 }]);
});

it('PostgreSQL runs with the tuned settings, and with those that the operator has set', async () => {
  const settings = async (url: string) =>
    query(
      url,
      `select current_setting('random_page_cost') as cost, current_setting('max_connections') as connections`,
    );
  const { adminUrl } = await start(folder);
  expect(await settings(adminUrl)).toEqual([{ cost: '1.1', connections: '200' }]);
  await query(adminUrl, `alter system set random_page_cost = 3`);
  await query(adminUrl, `alter system set max_connections = 210`);
  await stopAll();
  const again = await start(folder);
  expect(await settings(again.adminUrl)).toEqual([{ cost: '3', connections: '210' }]);
});

it('a data folder whose database has been lost is refused instead of started empty', async () => {
  const { adminUrl } = await start(folder);
  const server = adminUrl.replace(/riskboard$/u, 'postgres');
  await query(server, 'drop database riskboard with (force)');
  await stopAll();
  await expect(start(folder)).rejects.toThrow(/The database "riskboard" is missing from this PostgreSQL/u);
  await rm(join(folder, 'postgres'), { recursive: true });
  await expect(start(folder)).rejects.toMatchObject({ name: 'StartError', exitCode: 78 });
});

it('secrets of another data folder are refused with the file to restore', async () => {
  await start(folder);
  await stopAll();
  await rm(join(folder, 'secrets.json'));
  await saveSecrets(folder, { superuserPassword: 'x'.repeat(43) });
  await expect(start(folder)).rejects.toMatchObject({
    name: 'StartError',
    exitCode: 78,
    message: `${folder}/secrets.json has another superuserPassword than the database: restore it from a backup of the data folder.`,
  });
});
