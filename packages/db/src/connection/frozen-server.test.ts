import { startProxy, type TcpProxy } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { withOrganization } from '../with-organization.ts';
import { type Database, openDatabase } from './client.ts';

const limits = { lockMs: 5000, idleInTransactionMs: 60_000, answerMs: 400 };
let clone: OpenDatabase;
let proxy: TcpProxy;
let database: Database;
beforeAll(async () => {
  clone = await openClone();
  proxy = await startProxy(clone.clone.url);
  // Longer than the test may take: only the check of the server ends the statement.
  database = openDatabase({
    url: proxy.through(clone.clone.url),
    max: 2,
    statementTimeoutMs: 600_000,
    limits,
  });
});
afterAll(async () => {
  await database.close();
  await proxy.close();
  await clone.end();
});

it('a server that freezes during a transaction is reported, and the pool works when it answers again', async () => {
  const frozen = withOrganization(database, newId(), async (trx) => {
    await sql`select 1`.execute(trx);
    proxy.freeze();
    await sql`select 2`.execute(trx);
  });
  await expect(frozen).rejects.toThrow('Query read timeout');
  await proxy.restore();
  for (let n = 0; n < 3; n += 1)
    await expect(
      withOrganization(database, newId(), (trx) => sql<{ n: number }>`select 3 as n`.execute(trx)),
    ).resolves.toMatchObject({ rows: [{ n: 3 }] });
});

it('a slow statement of a server that answers is not interrupted', async () => {
  const slow = withOrganization(database, newId(), (trx) =>
    sql<{ done: number }>`select 1 as done from pg_sleep(0.9)`.execute(trx),
  );
  await expect(slow).resolves.toMatchObject({ rows: [{ done: 1 }] });
});

it('what waits for a slot of a frozen server fails with the statement before it, not after a limit of its own', async () => {
  const shared = openDatabase({
    url: proxy.through(clone.clone.url),
    max: 4,
    statementTimeoutMs: 600_000,
    limits,
    shared: true,
  });
  onTestFinished(async () => {
    await proxy.restore();
    await shared.close();
  });
  const organization = newId();
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const first = withOrganization(shared, organization, async (trx) => {
    proxy.freeze();
    resolve();
    await sql`select 1`.execute(trx);
  });
  await connected;
  const order: string[] = [];
  const waits = withOrganization(shared, organization, async () => order.push('started'));
  await Promise.all([
    expect(first).rejects.toThrow('Query read timeout'),
    expect(waits).rejects.toThrow('Query read timeout'),
  ]);
  expect(order).toEqual([]);
});
