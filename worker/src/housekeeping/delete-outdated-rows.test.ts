import { insertJob, newId, tryHousekeepingLock, withOrganization } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { deleteOutdatedRows } from './delete-outdated-rows.ts';
import { alertHarness } from '../testing/alerts.ts';
import { uploadCsv } from '../testing/import-csv.ts';
import { makeAccount, makeInvitation, sha256 } from '../testing/mail-fixtures.ts';
import {
  makeOrganization,
  openHarnessDatabase,
  type HarnessDatabase,
  type TestHarness,
} from '../testing/test-harness.ts';

let harness: HarnessDatabase;
let own: TestHarness;
let deps: Deps;
beforeAll(async () => {
  harness = await openHarnessDatabase();
  own = await harness.open();
  ({ deps } = own);
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
  await failure('new', 0.9);
  const wrongCode = (days: number) =>
    system
      .insertInto('second_factor_failure')
      .values({ id: newId(), account_id: accountId, at: ago(days) })
      .returning('id')
      .executeTakeFirstOrThrow();
  await wrongCode(1.1);
  const recentCode = await wrongCode(0.9);
  const rotated = (secret: string, days: number) =>
    system
      .insertInto('rotated_secret')
      .values({ session_id: keep.sessions[0] ?? '', hash: sha256(secret), rotated_at: ago(days) })
      .execute();
  await rotated('old', 8.1);
  await rotated('new', 7.9);
  const request = (email: string, days: number) =>
    system
      .insertInto('reset_request')
      .values({ email_key: sha256(email), at: ago(days) })
      .execute();
  await request('old', 1.1);
  await request('new', 0.9);

  expect(await deleteOutdatedRows(deps)).toBe(16);
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
  expect(await system.selectFrom('second_factor_failure').select('id').execute()).toEqual([recentCode]);
  expect(await system.selectFrom('rotated_secret').select('hash').execute()).toEqual([
    { hash: sha256('new') },
  ]);
  expect(await system.selectFrom('alert_rule').select('name').distinct().orderBy('name').execute()).toEqual([
    { name: 'kept' },
    { name: 'restorable' },
  ]);
  expect(await system.selectFrom('reset_request').select('email_key').execute()).toEqual([
    { email_key: sha256('new') },
  ]);
  expect(await deleteOutdatedRows(deps)).toBe(0);
});

type AgedTable = 'alert' | 'api_token' | 'job' | 'removed_session' | 'webhook_delivery';
type Insert = (id: string, at: RawBuilder<Date>) => Promise<unknown>;

describe('a row of the organization', () => {
  const inside = (statement: RawBuilder<unknown>) => own.inside((trx) => statement.execute(trx));
  const left = async (table: AgedTable) => {
    const id = sql.ref(table === 'removed_session' ? 'session_id' : 'id');
    const { rows } = await own.inside((trx) =>
      sql<{ id: string }>`select ${id} as id from ${sql.table(table)}`.execute(trx),
    );
    return rows.map((row) => row.id);
  };

  const delivery =
    (state: 'waiting' | 'delivered'): Insert =>
    async (id, at) => {
      const webhookId = await alertHarness(own).webhook('https://chat.example.org', 'secret');
      await inside(sql`
        insert into webhook_delivery (organization_id, id, webhook_id, type, payload, state, next_attempt_at, created_at)
        values (current_organization(), ${id}, ${webhookId}, 'webhook.test', '{}', ${state},
          ${state === 'waiting' ? sql`now()` : null}, ${at})`);
    };
  const job =
    (kind: 'alerts.evaluate' | 'metrics.recompute', state: 'queued' | 'succeeded'): Insert =>
    (id, at) =>
      own.inside(async (trx) => {
        const inserted = await insertJob(trx, { kind, payload: {}, organizationId: own.organizationId });
        await trx
          .updateTable('job')
          .set({ id, state, created_at: at, finished_at: state === 'succeeded' ? at : null })
          .where('id', '=', inserted)
          .execute();
      });

  it.each<[string, AgedTable, number, Insert]>([
    [
      'an alert',
      'alert',
      400,
      (id, at) =>
        inside(sql`
          insert into alert (organization_id, id, kind, severity, title, description, count, link, created_at)
          values (current_organization(), ${id}, 'critical-vulnerability', 'high', 'Old', '', 1, '/', ${at})`),
    ],
    [
      'an expired token',
      'api_token',
      30,
      async (id, at) => {
        const accountId = await alertHarness(own).member();
        await sql`
          insert into api_token (organization_id, id, account_id, name, role, token_hash, hint, expires_at)
          values (${own.organizationId}, ${id}, ${accountId}, 'Old', 'viewer', ${sha256(id)}, '', ${at})`.execute(
          harness.database.system,
        );
      },
    ],
    [
      'a removed session',
      'removed_session',
      8,
      (id, at) =>
        inside(sql`
          insert into removed_session (session_id, organization_id, removed_at)
          values (${id}, current_organization(), ${at})`),
    ],
    ['an ended delivery', 'webhook_delivery', 30, delivery('delivered')],
    ['an ended evaluation of alerts', 'job', 30, job('alerts.evaluate', 'succeeded')],
  ])('that is %s (%s) is deleted after %i days, not before', async (_what, table, days, insert) => {
    const [outdated, recent] = [newId(), newId()];
    await insert(outdated, ago(days + 0.1));
    await insert(recent, ago(days - 0.1));
    expect(await deleteOutdatedRows(deps)).toBe(1);
    const ids = await left(table);
    expect(ids).toContain(recent);
    expect(ids).not.toContain(outdated);
  });

  it.each<[string, AgedTable, Insert]>([
    ['a delivery that still waits', 'webhook_delivery', delivery('waiting')],
    ['a queued evaluation of alerts', 'job', job('alerts.evaluate', 'queued')],
    ['an ended job of another kind', 'job', job('metrics.recompute', 'succeeded')],
  ])('that is %s (%s) is kept at any age', async (_what, table, insert) => {
    const id = newId();
    await insert(id, ago(1000));
    expect(await deleteOutdatedRows(deps)).toBe(0);
    expect(await left(table)).toContain(id);
  });

  it('that is a CSV import is deleted with its file after 30 days, not before', async () => {
    const { organizationId } = own;
    const upload = async (days: number) => {
      const id = await uploadCsv(own, { csv: 'Name\nCrane' });
      return own.inside((trx) =>
        trx
          .updateTable('csv_import')
          .set({ changed_at: ago(days) })
          .where('id', '=', id)
          .returning('content_id')
          .executeTakeFirstOrThrow(),
      );
    };
    await upload(30.1);
    const recent = await upload(29.9);
    expect(await deleteOutdatedRows(deps)).toBe(1);
    const { rows } = await sql<{ id: string }>`
      select content_id as id from csv_import where organization_id = ${organizationId}
      union all select id from file_content where organization_id = ${organizationId}`.execute(
      harness.database.system,
    );
    expect(rows).toEqual([{ id: recent.content_id }, { id: recent.content_id }]);
  });
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
