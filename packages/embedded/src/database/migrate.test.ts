import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canBecomeSystem, databaseRoles, migrateToLatest, newId, openDatabase } from '@riskboard/db';
import { openProducer, prepareQueue, startConsumer } from '@riskboard/queue';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { clearOrphan } from './orphan.ts';
import type { DatabaseAddresses } from './addresses.ts';
import { migrate } from './migrate.ts';
import { provision } from './provision.ts';

const secret = () => randomBytes(12).toString('hex');

function addressesOn(
  cluster: Cluster,
  owner: { name: string; password: string },
): Required<DatabaseAddresses> {
  return {
    ownerUrl: cluster.url(owner, 'riskboard'),
    appUrl: cluster.url({ name: 'acme_app', password: secret() }, 'riskboard'),
    systemUrl: cluster.url({ name: 'acme-system', password: secret() }, 'riskboard'),
  };
}

it('the database of an earlier version gets logins that cannot take each other’s roles and can use the queue; one of a newer version is refused with exit code 78', async () => {
  const home = await mkdtemp(join(tmpdir(), 'riskboard-migrate-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await chmod(home, 0o711);
  const password = secret();
  const cluster = await startCluster({ home, password, settings: { fsync: 'off' } });
  onTestFinished(async () => {
    await cluster.stop();
    await clearOrphan(join(home, 'postgres'));
  });
  const owner = { name: 'riskboard', password: secret() };
  await provision(cluster.url({ name: 'postgres', password }, 'postgres'), owner, { database: 'riskboard' });
  const earlier = cluster.url(owner, 'riskboard');
  await migrateToLatest(earlier);
  await prepareQueue({ databaseUrl: earlier, lockMs: 0, stallMs: 0 });

  const addresses = addressesOn(cluster, owner);
  await migrate(addresses);
  const { appUrl, systemUrl } = addresses;
  const database = openDatabase({ url: appUrl ?? '', systemUrl, max: 2 });
  expect(await canBecomeSystem(database)).toBe(false);
  await expect(database.app.selectFrom('account').select('password_hash').execute()).rejects.toThrow(
    'permission denied',
  );
  expect(await database.system.selectFrom('account').select('password_hash').execute()).toEqual([]);
  await database.close();

  const queue = {
    databaseUrl: systemUrl ?? '',
    databaseRole: databaseRoles.system,
    lockMs: 1000,
    stallMs: 1000,
  };
  const producer = openProducer(queue);
  const messages = [1, 2].map(() => ({ id: newId(), kind: 'stix.parse' as const, organizationId: newId() }));
  await producer.enqueue(messages);
  expect(await producer.counts()).toEqual({ waiting: 2, active: 0, delayed: 0 });
  const received: string[] = [];
  const consumer = startConsumer(queue, {
    concurrency: 1,
    run: async ({ id }) => void received.push(id),
    onError: (error) => expect.fail(error.message),
    log: { info: () => undefined, warn: () => undefined },
  });
  await vi.waitFor(() => expect(received).toEqual(messages.map(({ id }) => id)));
  expect(await producer.workers()).toBe(1);
  await consumer.close({ timeoutMs: 2000 });
  await producer.close();

  // The next start, with other passwords, as after secrets.json was lost.
  const again = addressesOn(cluster, owner);
  await migrate(again);
  const reopened = openDatabase({ url: again.appUrl ?? '', systemUrl: again.systemUrl, max: 2 });
  expect(await canBecomeSystem(reopened)).toBe(false);
  await reopened.close();

  // After an upgrade, a start of this version would not know the schema.
  const admin = new pg.Client({ connectionString: earlier });
  await admin.connect();
  await admin.query(`insert into kysely_migration values ('9999-future', now()::text)`);
  await admin.end();
  const refused = migrate(again);
  await expect(refused).rejects.toThrow(/^The database was migrated by a newer version of Riskboard/u);
  await expect(refused).rejects.toMatchObject({ name: 'StartError', exitCode: 78 });
}, 60_000);
