import { newId, tryHousekeepingLock, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { deleteOutdatedRows } from './delete-outdated-rows.ts';
import { makeAccount, makeInvitation, sha256 } from '../testing/mail-fixtures.ts';
import { makeOrganization, openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';

let harness: HarnessDatabase;
let deps: Deps;
beforeAll(async () => {
  harness = await openHarnessDatabase();
  ({ deps } = await harness.open());
});
afterAll(() => harness.close());

const ago = (days: number) => sql<Date>`now() - make_interval(secs => ${days * 86_400})`;

it('deletes outdated rows of every organization and keeps all others', async () => {
  const { database } = harness;
  const { system } = database;
  const accountId = await makeAccount(database);
  const session = async (organizationId: string, endedDaysAgo: number | null, expiredDaysAgo: number) => {
    const id = newId();
    const ended_at = endedDaysAgo === null ? null : ago(endedDaysAgo);
    await system
      .insertInto('session')
      .values({
        id,
        organization_id: organizationId,
        account_id: accountId,
        refresh_hash: sha256(id),
        expires_at: ago(expiredDaysAgo),
        ended_at,
      })
      .execute();
    return id;
  };
  const keep = { sessions: [] as string[], invitations: [] as string[], records: [] as string[] };
  const deletedRecord = async (organizationId: string, daysAgo: number) => {
    const row = { organization_id: organizationId, id: newId(), noun: 'threat' as const, data: '{}' };
    await withOrganization(database, organizationId, (trx) =>
      trx
        .insertInto('deleted_record')
        .values({ ...row, deleted_at: ago(daysAgo) })
        .execute(),
    );
    return row.id;
  };
  for (let n = 0; n < 2; n += 1) {
    const organizationId = await makeOrganization(database);
    await withOrganization(database, organizationId, (trx) =>
      trx
        .insertInto('membership')
        .values({ organization_id: organizationId, account_id: accountId, role: 'owner' })
        .execute(),
    );
    await session(organizationId, 31, 24);
    await session(organizationId, null, 31);
    keep.sessions.push(
      await session(organizationId, null, -1),
      await session(organizationId, null, 29),
      await session(organizationId, 29, -6),
    );
    await deletedRecord(organizationId, 31);
    keep.records.push(await deletedRecord(organizationId, 29));
    for (const [name, days] of [
      ['kept', null],
      ['restorable', 0.03],
      ['outdated', 0.05],
    ] as const)
      await withOrganization(database, organizationId, (trx) =>
        trx
          .insertInto('alert_rule')
          .values({
            organization_id: organizationId,
            id: newId(),
            name,
            kind: 'asset-at-risk',
            deleted_at: days === null ? null : ago(days),
          })
          .execute(),
      );
    const invite = (email: string, hours: number) =>
      makeInvitation(database, { organizationId, email, hours });
    await invite('outdated@example.org', -31 * 24);
    keep.invitations.push(await invite('recent@example.org', -29 * 24), await invite('open@example.org', 1));
  }
  const reset = (token: string, expired: number) =>
    system
      .insertInto('password_reset')
      .values({ token_hash: sha256(token), account_id: accountId, expires_at: ago(expired) })
      .execute();
  await reset('spent', 0.001);
  await reset('open', -0.001);
  const change = async (email: string, expired: number) =>
    system
      .insertInto('email_change')
      .values({ account_id: await makeAccount(database), email, expires_at: ago(expired) })
      .execute();
  await change('spent@example.org', 0.001);
  await change('open@example.org', -0.001);
  const failure = (address: string, days: number) =>
    system
      .insertInto('login_failure')
      .values({ id: newId(), account_key: sha256('a'), address, at: ago(days) })
      .execute();
  await failure('old', 1.1);
  await failure('new', 0.1);
  const request = (email: string, days: number) =>
    system
      .insertInto('reset_request')
      .values({ email_key: sha256(email), at: ago(days) })
      .execute();
  await request('old', 1.1);
  await request('new', 0.1);

  expect(await deleteOutdatedRows(deps)).toBe(14);
  const ids = async (table: 'session' | 'invitation' | 'deleted_record') =>
    (await system.selectFrom(table).select('id').execute()).map(({ id }) => id).toSorted();
  expect(await ids('session')).toEqual(keep.sessions.toSorted());
  expect(await ids('invitation')).toEqual(keep.invitations.toSorted());
  expect(await ids('deleted_record')).toEqual(keep.records.toSorted());
  expect(await system.selectFrom('password_reset').select('token_hash').execute()).toEqual([
    { token_hash: sha256('open') },
  ]);
  expect(await system.selectFrom('email_change').select('email').execute()).toEqual([
    { email: 'open@example.org' },
  ]);
  expect(await system.selectFrom('login_failure').select('address').execute()).toEqual([{ address: 'new' }]);
  expect(await system.selectFrom('alert_rule').select('name').distinct().orderBy('name').execute()).toEqual([
    { name: 'kept' },
    { name: 'restorable' },
  ]);
  expect(await system.selectFrom('reset_request').select('email_key').execute()).toEqual([
    { email_key: sha256('new') },
  ]);
  expect(await deleteOutdatedRows(deps)).toBe(0);
});

it('deletes nothing while another worker does the same, and continues afterwards', async () => {
  const { system } = harness.database;
  await system
    .insertInto('login_failure')
    .values({ id: newId(), account_key: sha256('b'), address: 'outdated', at: ago(2) })
    .execute();
  await system.transaction().execute(async (trx) => {
    expect(await tryHousekeepingLock(trx)).toBe(true);
    expect(await deleteOutdatedRows(deps)).toBe(0);
  });
  expect(await deleteOutdatedRows(deps)).toBe(1);
});
