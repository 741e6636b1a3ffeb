import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseAddresses } from './addresses.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { migrate } from './migrate.ts';
import { preparedState } from './prepared.ts';
import { provision } from './provision.ts';

const password = 'secret of the superuser';
const owner = { name: 'riskboard', password: 'secret of the owner' };
let home: string;
let cluster: Cluster;
let adminUrl: string;
let addresses: Required<DatabaseAddresses>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'riskboard-prepared-'));
  await chmod(home, 0o711);
  cluster = await startCluster({ home, password, settings: { fsync: 'off' } });
  const admin = { name: 'postgres', password };
  await provision(cluster.url(admin, 'postgres'), owner, { database: 'riskboard' });
  adminUrl = cluster.url(admin, 'riskboard');
  addresses = {
    ownerUrl: cluster.url(owner, 'riskboard'),
    appUrl: cluster.url({ name: 'riskboard_app', password: 'secret of the app' }, 'riskboard'),
    systemUrl: cluster.url({ name: 'riskboard_system', password: 'secret of the system' }, 'riskboard'),
  };
});
afterAll(async () => {
  await cluster.stop();
  await rm(home, { recursive: true, force: true });
});

const state = () => preparedState(adminUrl, [addresses.appUrl ?? '', addresses.systemUrl ?? '']);

async function run(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

it('the state of a database is the same after a start, and another one after every change that a preparation repairs', async () => {
  expect(await state()).toBeUndefined();
  await migrate(addresses);
  const prepared = await state();
  expect(prepared).toMatch(/^[0-9a-f]{64}$/u);
  // As each start does, and as the product writes.
  await provision(cluster.url({ name: 'postgres', password }, 'postgres'), owner, { database: 'riskboard' });
  await run(
    `insert into organization (organization_id) values (gen_random_uuid())`,
    'vacuum analyze organization',
  );
  expect(await state()).toBe(prepared);

  const known = new Set([prepared]);
  for (const [what, statement] of [
    ['a revoked privilege', 'revoke select on vulnerability from riskboard_app'],
    [
      'a revoked privilege of a column',
      'revoke select (email) on account from riskboard_app; grant select (id) on cwe_catalogue to riskboard_app',
    ],
    ['a missing policy', 'drop policy backup on vulnerability'],
    ['row-level security that is off', 'alter table threat disable row level security'],
    ['another owner', 'alter table asset owner to postgres'],
    ['another password', `alter role riskboard_app password 'changed'`],
    ['another right of a role', 'alter role riskboard_system bypassrls'],
    ['an emptied table, as a restore leaves it', 'truncate activity'],
    [
      'a migration that is not applied',
      `delete from kysely_migration where name = (select max(name) from kysely_migration)`,
    ],
    ['a missing table', 'drop table bullmq.job cascade'],
  ] as const) {
    await run(statement);
    const changed = await state();
    expect({ what, isKnown: known.has(changed) }).toEqual({ what, isKnown: false });
    known.add(changed);
  }
});

it('the state depends on the logins, not on the port', async () => {
  const [app, system] = [addresses.appUrl ?? '', addresses.systemUrl ?? ''];
  const moved = [app, system].map((url) => url.replace(`:${cluster.port}/`, ':1234/'));
  expect(await preparedState(adminUrl, moved)).toBe(await state());
  expect(await preparedState(adminUrl, [app.replace('of%20the%20app', 'x'), system])).not.toBe(await state());
});
