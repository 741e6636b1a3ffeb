import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Database, openDatabase } from './connection/client.ts';
import { runInRequest } from './jobs/request-scope.ts';
import { lockAssets } from './locks/asset-locks.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';
import { makeOrganization } from './testing/organization.ts';
import {
  type OrganizationTransaction,
  withOrganization,
  withOrganizationConnection,
  withOrganizationSnapshot,
} from './with-organization.ts';

let clone: OpenDatabase;
let shared: Database;
let mine: string;
let other: string;
beforeAll(async () => {
  clone = await openClone();
  [mine, other] = [await makeOrganization(clone), await makeOrganization(clone)];
  shared = openDatabase({ url: clone.clone.url, max: 8, shared: true });
});
afterAll(async () => {
  await shared.close();
  await clone.end();
});

it('one organization has at most a quarter of a shared pool, and another one still gets a connection', async () => {
  const release = Promise.withResolvers<void>();
  let open = 0;
  const calls = Array.from({ length: 20 }, () =>
    withOrganization(shared, mine, async () => {
      open += 1;
      await release.promise;
    }),
  );
  const ids = await withOrganization(shared, other, (trx) =>
    trx.selectFrom('organization').select('organization_id').execute(),
  );
  expect(ids).toEqual([{ organization_id: other }]);
  await vi.waitFor(() => expect(open).toBe(2));
  expect(shared.pool.totalCount).toBeLessThanOrEqual(3);
  release.resolve();
  await Promise.all(calls);
  expect(open).toBe(20);
});

it.each([
  ['withOrganization', withOrganization],
  ['withOrganizationConnection', withOrganizationConnection],
])('%s refuses a transaction within another one, which could wait for itself', async (_name, enter) => {
  const nested = withOrganization(shared, mine, () => enter(shared, mine, async () => 'never'));
  await expect(nested).rejects.toThrow('within another one');
  const after = withOrganization(shared, mine, (trx) => sql<{ n: number }>`select 1 as n`.execute(trx));
  expect((await after).rows).toEqual([{ n: 1 }]);
});

it('when no connection can be opened, transactions that wait fail at once with the same error', async () => {
  const url = new URL(clone.clone.url);
  url.port = '1';
  const unreachable = openDatabase({ url: url.href, max: 4, shared: true });
  onTestFinished(() => unreachable.close());
  const calls = Array.from({ length: 10 }, () => withOrganization(unreachable, mine, async () => 'never'));
  const results = await Promise.allSettled(calls);
  const reasons = new Set(
    results.map((result) => (result.status === 'rejected' ? result.reason : 'fulfilled')),
  );
  expect(reasons.size).toBe(1);
  expect([...reasons][0]).toMatchObject({ code: 'ECONNREFUSED' });
});

it('requests that wait for a lock leave a connection of their organization to reads, and none of them is lost', async () => {
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = withOrganization(clone, mine, async (trx) => {
    await lockAssets(trx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const change = () =>
    runInRequest({ id: null, changesData: true }, () => withOrganization(shared, mine, lockAssets));
  const changes = Array.from({ length: 10 }, change);
  const read = (trx: OrganizationTransaction) => sql<{ n: number }>`select 1 as n`.execute(trx);
  const reads = await Promise.all([
    ...Array.from({ length: 5 }, () => withOrganization(shared, mine, read)),
    runInRequest({ id: null }, () => withOrganization(shared, mine, read)),
    runInRequest({ id: null, changesData: true }, () => withOrganizationSnapshot(shared, mine, read)),
    withOrganization(shared, other, read),
  ]);
  expect(reads.flatMap(({ rows }) => rows)).toHaveLength(8);
  release.resolve();
  await Promise.all([holder, ...changes]);
});
