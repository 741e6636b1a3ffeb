import {
  type Alert,
  type AlertRule,
  type ErrorReply,
  mostAlertRules,
  type OrganizationEvent,
  type Webhook,
  type WebhookDelivery,
} from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bySession, makeMember } from '../testing/accounts/member.ts';
import { put } from '../testing/make-records.ts';
import { type Answer, type Person, signUp, visitor } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

/** Another member of Ada's organization. */
async function colleague(role: 'viewer' | 'analyst' | 'owner'): Promise<Person & { accountId: string }> {
  const member = await makeMember(api, ada.user.organizationId, role);
  const { headers } = await bySession(api, member);
  const person = visitor(api);
  person.cookies.set('rb_session', headers['cookie']?.split('=')[1] ?? '');
  return Object.assign(person, { accountId: member.accountId });
}

const inside = <T>(work: Parameters<typeof withOrganization<T>>[2]) =>
  withOrganization(api.database, ada.user.organizationId, work);

/** Stores alerts as the worker does. @returns their ids, oldest first */
const store = (count: number, forOwners = false): Promise<string[]> =>
  inside(async (trx) => {
    const ids = Array.from({ length: count }, () => newId()).toSorted();
    await sql`
      insert into alert (organization_id, id, kind, severity, title, description, count, link, for_owners)
      select current_organization(), id, 'asset-at-risk', 'high', 'Door', '', 1, '/dashboard', ${forOwners}
      from unnest(${ids}::uuid[]) as id`.execute(trx);
    return ids;
  });

const issue = (answer: Answer): [number, string | undefined] => [
  answer.statusCode,
  answer.json<ErrorReply>().details?.[0]?.path,
];
const actions = () =>
  inside((trx) =>
    trx
      .selectFrom('activity')
      .select(['action', 'name', 'detail'])
      .where('noun', 'in', ['alerts', 'webhooks'])
      .orderBy('id')
      .execute(),
  );

interface Inbox {
  alerts: Alert[];
  nextCursor: string | null;
  total: number;
}
const inbox = async (person: Person, query = ''): Promise<Inbox> =>
  (await person.get(`/api/alerts${query}`)).json<Inbox>();
const unread = async (person: Person): Promise<number> =>
  (await person.get('/api/alerts/unread')).json<{ unread: number }>().unread;
const read = (person: Person, body: object) => person.post('/api/alerts/read', body);

describe('the inbox', () => {
  it('shows the newest alerts first, page by page, without repeating or skipping one', async () => {
    const ids = await store(5);
    const seen: string[] = [];
    let query = '?pageSize=2';
    for (let page = 0; page < 3; page += 1) {
      const { alerts, nextCursor } = await inbox(ada, query);
      seen.push(...alerts.map(({ _id }) => _id));
      // An alert that arrives meanwhile is on no later page.
      await store(1);
      query = `?pageSize=2&page=${page + 2}&cursor=${nextCursor}`;
      if (page === 2) expect(nextCursor).toBeNull();
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('is read by each member alone: some alerts, or all up to the newest one shown', async () => {
    const reader = await colleague('viewer');
    const [first = '', second = '', third = ''] = await store(3);
    expect(await unread(reader)).toBe(3);
    expect((await read(reader, { ids: [second] })).json()).toEqual({ unread: 2 });
    expect((await read(reader, { all: true, until: second })).json()).toEqual({ unread: 1 });
    expect((await inbox(reader, '?read=false')).alerts.map(({ _id }) => _id)).toEqual([third]);
    expect((await read(reader, { all: true, until: first })).json()).toEqual({ unread: 1 });
    expect(await unread(ada)).toBe(3);
    expect((await read(ada, { all: true })).json()).toEqual({ unread: 0 });
    await store(1);
    expect(await unread(ada)).toBe(1);
    expect((await inbox(ada)).alerts.map((alert) => alert.read)).toEqual([false, true, true, true]);
  });

  it('counts unread alerts up to 100', async () => {
    await store(120);
    expect(await unread(ada)).toBe(100);
  });

  it('shows alerts about webhooks to owners only, and older ones than the membership as read', async () => {
    await store(1, true);
    await store(1);
    const analyst = await colleague('analyst');
    const { alerts } = await inbox(analyst);
    expect([alerts.length, alerts[0]?.read, await unread(analyst)]).toEqual([1, true, 0]);
    expect((await inbox(ada)).alerts).toHaveLength(2);
  });

  it('is closed for a removed member, whose marks and mails end', async () => {
    const analyst = await colleague('analyst');
    const [id] = await store(1);
    await inside((trx) =>
      sql`insert into alert_mail (organization_id, account_id, alert_id, due_at)
        values (current_organization(), ${analyst.accountId}, ${id}, now())`.execute(trx),
    );
    await read(analyst, { ids: [id] });
    await ada.delete(`/api/organization/members/${analyst.accountId}`);
    expect((await analyst.get('/api/alerts')).statusCode).toBe(401);
    const left = await inside((trx) =>
      sql`select account_id from alert_mail union all select account_id from alert_read`.execute(trx),
    );
    expect(left.rows).toEqual([]);
  });

  it('does not exist for another organization', async () => {
    const [id = ''] = await store(1);
    const eve = await signUp(api);
    expect(await inbox(eve)).toMatchObject({ alerts: [], nextCursor: null, total: 0 });
    expect(await unread(eve)).toBe(0);
    for (const unknown of [id, strangeId()]) {
      expect((await read(eve, { ids: [unknown] })).statusCode).toBe(404);
      expect((await read(eve, { all: true, until: unknown })).statusCode).toBe(404);
    }
    expect(await unread(ada)).toBe(1);
  });
});

const rule = { name: 'Critical', kind: 'critical-vulnerability' };
const createRule = async (body: object = rule): Promise<AlertRule> => {
  const answer = await ada.post('/api/alerts/rules', body);
  expect(answer.statusCode).toBe(201);
  return answer.json<AlertRule>();
};

describe('a rule', () => {
  it('is created, changed in part and deleted by analysts, read by viewers, and recorded', async () => {
    const analyst = await colleague('analyst');
    const reader = await colleague('viewer');
    const created = (await analyst.post('/api/alerts/rules', rule)).json<AlertRule>();
    expect(created).toMatchObject({ ...rule, enabled: true, digest: 'immediately', mailTo: [], version: 1 });
    expect((await reader.get('/api/alerts/rules')).json()).toEqual({ rules: [created], total: 1 });
    expect((await reader.post('/api/alerts/rules', rule)).statusCode).toBe(403);
    const change = { enabled: false, digest: 'daily', mailTo: [analyst.accountId] };
    const changed = await put(analyst, `/api/alerts/rules/${created._id}`, change);
    expect(changed.json()).toMatchObject({ ...change, name: 'Critical', version: 2 });
    expect((await analyst.delete(`/api/alerts/rules/${created._id}`)).statusCode).toBe(200);
    expect((await analyst.delete(`/api/alerts/rules/${created._id}`)).statusCode).toBe(404);
    expect(await actions()).toMatchObject([
      { action: 'alert-rule.created', name: 'Critical' },
      { action: 'alert-rule.updated', detail: { changes: { enabled: { from: true, to: false } } } },
      { action: 'alert-rule.deleted' },
    ]);
  });

  it.each([
    ['kind', { name: 'x', kind: 'moon' }],
    ['name', { ...rule, name: ' ' }],
    ['score', { name: 'x', kind: 'score-above', threshold: 5 }],
    ['threshold', { name: 'x', kind: 'score-above', score: 'asset' }],
    ['threshold', { name: 'x', kind: 'score-above', score: 'asset', threshold: 10 }],
    ['days', { name: 'x', kind: 'nothing-imported' }],
    ['days', { name: 'x', kind: 'nothing-imported', days: 0 }],
    ['mailTo', { ...rule, mailTo: [strangeId()] }],
    ['webhookIds', { ...rule, webhookIds: [strangeId()] }],
  ])('is refused by %s: %j', async (path, body) => {
    expect(issue(await ada.post('/api/alerts/rules', body))).toEqual([422, path]);
    expect((await ada.get('/api/alerts/rules')).json()).toEqual({ rules: [], total: 0 });
  });

  it('for the overall score begins on the side of its value on which the number of the overview is', async () => {
    const sides = () =>
      inside((trx) => trx.selectFrom('alert_rule').select(['name', 'was_above']).orderBy('name').execute());
    for (const severity of [9.5, 2])
      await ada.post('/api/vulnerabilities', { name: 'Crane', description: 'x', severity });
    // Old ones are open and not new.
    await inside((trx) =>
      sql`insert into vulnerability (organization_id, id, name, created_at)
        select current_organization(), gen_random_uuid(), 'Old', now() - interval '31 days' from generate_series(1, 3)`.execute(
        trx,
      ),
    );
    const { overallRisk } = (await ada.get('/api/overview/metrics')).json<{
      overallRisk: { value: number };
    }>();
    expect(overallRisk.value).toBeGreaterThan(0);
    const watch = { kind: 'score-above', score: 'overall' };
    const { _id } = await createRule({ ...watch, name: 'at', threshold: overallRisk.value });
    await createRule({ ...watch, name: 'below', threshold: overallRisk.value - 1 });
    await createRule({ ...watch, name: 'of assets', score: 'asset', threshold: 1 });
    expect(await sides()).toEqual([
      { name: 'at', was_above: false },
      { name: 'below', was_above: true },
      { name: 'of assets', was_above: null },
    ]);
    await put(ada, `/api/alerts/rules/${_id}`, { threshold: overallRisk.value - 1 });
    expect((await sides())[0]).toEqual({ name: 'at', was_above: true });
    await put(ada, `/api/alerts/rules/${_id}`, { digest: 'daily' });
    expect((await sides())[0]).toEqual({ name: 'at', was_above: true });
  });

  it('with another value forgets changes that were counted only, and keeps those with a known subject', async () => {
    const watch = { kind: 'score-above', score: 'cwss', name: 'high' };
    const { _id } = await createRule({ ...watch, threshold: 50 });
    await inside((trx) =>
      sql`
        insert into alert_change (organization_id, rule_id, subject_ids, count)
        values (current_organization(), ${_id}, array[gen_random_uuid(), gen_random_uuid()], 7)`.execute(trx),
    );
    const counts = () => inside((trx) => trx.selectFrom('alert_change').select('count').execute());
    await put(ada, `/api/alerts/rules/${_id}`, { name: 'higher' });
    expect(await counts()).toEqual([{ count: 7 }]);
    await put(ada, `/api/alerts/rules/${_id}`, { threshold: 90 });
    expect(await counts()).toEqual([{ count: 2 }]);
  });

  it('keeps only the fields of its kind', async () => {
    expect(await createRule({ ...rule, days: 3, score: 'asset', threshold: 2 })).toMatchObject({
      score: null,
      threshold: null,
      days: null,
    });
  });

  it('that another tab changed is refused with 412', async () => {
    const { _id } = await createRule();
    const send = (name: string) => put(ada, `/api/alerts/rules/${_id}`, { name }, '"1"');
    expect((await send('first')).statusCode).toBe(200);
    expect((await send('second')).statusCode).toBe(412);
  });

  it('that is deleted is restored as it was, once, with what it reported', async () => {
    const { _id: webhookId } = await createWebhook();
    const created = await createRule({ ...rule, mailTo: [ada.user._id], webhookIds: [webhookId] });
    const uses = async () =>
      (await ada.get('/api/alerts/webhooks')).json<{ webhooks: Webhook[] }>().webhooks[0]?.rules;
    const [alertId = ''] = await store(1);
    await inside((trx) =>
      sql`
        insert into alert_finding (organization_id, rule_id, subject_id, occurrence, alert_id)
        values (current_organization(), ${created._id}, gen_random_uuid(), 'created', ${alertId})`.execute(
        trx,
      ),
    );
    const url = `/api/alerts/rules/${created._id}`;
    await ada.delete(url);
    expect((await ada.get('/api/alerts/rules')).json()).toEqual({ rules: [], total: 0 });
    expect((await put(ada, url, { name: 'Other' })).statusCode).toBe(404);
    expect(await uses()).toBe(0);
    for (const answer of [await ada.post(`${url}/restore`), await ada.post(`${url}/restore`)])
      expect([answer.statusCode, answer.json()]).toEqual([200, created]);
    expect((await ada.get('/api/alerts/rules')).json()).toEqual({ rules: [created], total: 1 });
    expect(await uses()).toBe(1);
    const findings = await inside((trx) => trx.selectFrom('alert_finding').select('alert_id').execute());
    expect(findings).toEqual([{ alert_id: alertId }]);
    expect((await actions()).map(({ action }) => action).slice(2)).toEqual([
      'alert-rule.deleted',
      'alert-rule.restored',
    ]);
    expect((await ada.post(`/api/alerts/rules/${strangeId()}/restore`)).statusCode).toBe(404);
  });

  it('that is deleted makes room for another one, and is restored only while there is room', async () => {
    const [first] = await Promise.all(Array.from({ length: mostAlertRules }, () => createRule()));
    const url = `/api/alerts/rules/${first?._id}`;
    expect(issue(await ada.post('/api/alerts/rules', rule))).toEqual([422, 'name']);
    await ada.delete(url);
    const { _id } = await createRule();
    expect(issue(await ada.post(`${url}/restore`))).toEqual([422, 'name']);
    await ada.delete(`/api/alerts/rules/${_id}`);
    expect((await ada.post(`${url}/restore`)).statusCode).toBe(200);
  });

  it('loses a member who leaves', async () => {
    const analyst = await colleague('analyst');
    await createRule({ ...rule, mailTo: [analyst.accountId] });
    await ada.delete(`/api/organization/members/${analyst.accountId}`);
    expect((await ada.get('/api/alerts/rules')).json()).toMatchObject({ rules: [{ mailTo: [] }] });
  });
});

const hook = { name: 'Chat', url: 'https://chat.example.org/hook?token=abc' };
const createWebhook = async (): Promise<Webhook & { secret: string }> => {
  const answer = await ada.post('/api/alerts/webhooks', hook);
  expect(answer.statusCode).toBe(201);
  return answer.json<Webhook & { secret: string }>();
};

describe('a webhook', () => {
  it('shows its secret once, and stores it encrypted in no readable column', async () => {
    const { secret, ...webhook } = await createWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    expect(webhook).toMatchObject({ ...hook, enabled: true, secretHint: secret.slice(-4), rules: 0 });
    expect((await ada.get('/api/alerts/webhooks')).json()).toEqual({
      webhooks: [webhook],
      total: 1,
      privateAllowed: false,
    });
    await expect(inside((trx) => sql`select secret from webhook`.execute(trx))).rejects.toThrow(
      /permission denied/u,
    );
    const { rows } = await sql<{
      secret: Buffer;
    }>`select secret from webhook where id = ${webhook._id}`.execute(api.database.system);
    expect(rows[0]?.secret.toString('latin1')).not.toContain(secret.slice(6));
    expect(JSON.stringify(await actions())).not.toContain(secret.slice(6));
  });

  it.each([
    'http://chat.example.org',
    'https://user:password@chat.example.org',
    'https://user@chat.example.org',
    'https://127.0.0.1',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost:8443',
    'https://api.localhost',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'ftp://chat.example.org',
    'chat.example.org',
  ])('with the address %s is refused, also as a change', async (url) => {
    expect(issue(await ada.post('/api/alerts/webhooks', { name: 'x', url }))).toEqual([422, 'url']);
    const { _id } = await createWebhook();
    expect(issue(await put(ada, `/api/alerts/webhooks/${_id}`, { url }))).toEqual([422, 'url']);
  });

  it('is managed by owners only; analysts see its name and not its address', async () => {
    const analyst = await colleague('analyst');
    const { _id } = await createWebhook();
    expect((await analyst.get('/api/alerts/webhooks')).statusCode).toBe(403);
    const channels = await analyst.get('/api/alerts/channels');
    expect(channels.json()).toMatchObject({ webhooks: [{ _id, name: 'Chat', enabled: true }] });
    expect(channels.body).not.toContain('chat.example.org');
  });

  it('gets another secret; the former one is kept for the overlap, or not at all without one', async () => {
    const { _id, secret } = await createWebhook();
    const rotated = (await ada.post(`/api/alerts/webhooks/${_id}/rotate-secret`, {})).json<
      Webhook & { secret: string }
    >();
    expect(rotated.secret).not.toBe(secret);
    const hours = (Date.parse(rotated.previousSecretUntil ?? '') - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const at = await ada.post(`/api/alerts/webhooks/${_id}/rotate-secret`, { overlapHours: 0 });
    expect(at.json<Webhook>().previousSecretUntil).toBeNull();
    expect(await actions()).toMatchObject([
      { action: 'webhook.created' },
      { action: 'webhook.secret-rotated', detail: { overlapHours: 24 } },
      { action: 'webhook.secret-rotated', detail: { overlapHours: 0 } },
    ]);
  });

  it('keeps a previous secret that still signs when the secret is rotated again', async () => {
    const { _id } = await createWebhook();
    const stored = async (): Promise<(string | undefined)[]> => {
      const { secret, previous } = await api.database.system
        .selectFrom('webhook')
        .select(['secret', 'previous_secret as previous'])
        .where('id', '=', _id)
        .executeTakeFirstOrThrow();
      return [secret.toString('hex'), previous?.toString('hex')];
    };
    const rotate = async (overlapHours: number) => {
      const answer = await ada.post(`/api/alerts/webhooks/${_id}/rotate-secret`, { overlapHours });
      return answer.json<Webhook>().previousSecretUntil;
    };
    const [first] = await stored();
    const until = await rotate(24);
    const [second] = await stored();
    expect(await stored()).toEqual([second, first]);
    expect(await rotate(48)).toBe(until);
    const [third] = await stored();
    expect(await stored()).toEqual([third, first]);
    expect(new Set([first, second, third]).size).toBe(3);
    // Once it has ended, the current secret becomes the previous one.
    await inside((trx) =>
      sql`update webhook set previous_until = now() - interval '1 second' where id = ${_id}`.execute(trx),
    );
    await rotate(24);
    expect((await stored())[1]).toBe(third);
    expect(await rotate(0)).toBeNull();
    expect((await stored())[1]).toBeUndefined();
  });

  it('with another address or secret is no longer failing; one with another name is', async () => {
    const { _id } = await createWebhook();
    const url = `/api/alerts/webhooks/${_id}`;
    const failing = () =>
      inside((trx) =>
        sql`update webhook set failing_since = now() - interval '6 days' where id = ${_id}`.execute(trx),
      );
    const since = (answer: Answer) => answer.json<Webhook>().failingSince;
    await failing();
    expect(since(await put(ada, url, { name: 'Pager', url: hook.url }))).not.toBeNull();
    expect(since(await put(ada, url, { url: 'https://other.example.org' }))).toBeNull();
    await failing();
    expect(since(await ada.post(`${url}/rotate-secret`, {}))).toBeNull();
  });

  it('that an owner disables cancels its deliveries and refuses tests until it is enabled', async () => {
    const { _id } = await createWebhook();
    const test = () => ada.post(`/api/alerts/webhooks/${_id}/test`, {});
    const { deliveryId } = (await test()).json<{ deliveryId: string }>();
    const disabled = await put(ada, `/api/alerts/webhooks/${_id}`, { enabled: false });
    expect(disabled.json()).toMatchObject({ enabled: false, disabledReason: 'owner' });
    expect((await ada.get(`/api/alerts/deliveries/${deliveryId}`)).json()).toMatchObject({
      state: 'cancelled',
    });
    expect((await test()).statusCode).toBe(409);
    expect((await ada.post(`/api/alerts/deliveries/${deliveryId}/retry`, {})).statusCode).toBe(409);
    expect((await put(ada, `/api/alerts/webhooks/${_id}`, { enabled: true })).json()).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
    expect((await test()).statusCode).toBe(202);
  });

  it('logs its address as changed without showing it', async () => {
    const { _id } = await createWebhook();
    await put(ada, `/api/alerts/webhooks/${_id}`, { url: 'https://other.example.org/secret-path' });
    const text = JSON.stringify(await actions());
    expect(text).toContain('another address');
    expect(text).not.toMatch(/secret-path|token=abc/u);
  });

  it('is refused where the operator has set no key', async () => {
    const keyless = await startApi({ webhookKey: undefined }, { with: api });
    const person = await signUp(keyless);
    const answer = await person.post('/api/alerts/webhooks', hook);
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      503,
      'Webhooks are not available: the operator of this Riskboard has not set WEBHOOK_KEY.',
    ]);
    await keyless.close();
  });
});

describe('a delivery', () => {
  it('of a test is a job, is listed with its webhook, and can be requested again', async () => {
    const { _id } = await createWebhook();
    const { deliveryId } = (await ada.post(`/api/alerts/webhooks/${_id}/test`, {})).json<{
      deliveryId: string;
    }>();
    const list = (await ada.get(`/api/alerts/deliveries?webhookId=${_id}&state=waiting`)).json<{
      deliveries: WebhookDelivery[];
    }>();
    expect(list.deliveries).toMatchObject([
      { _id: deliveryId, type: 'webhook.test', webhook: 'Chat', attempts: 0 },
    ]);
    const one = (await ada.get(`/api/alerts/deliveries/${deliveryId}`)).json<{
      payload: string;
      log: unknown[];
    }>();
    expect(JSON.parse(one.payload)).toMatchObject({ type: 'webhook.test', data: { webhookId: _id } });
    expect(one.log).toEqual([]);
    expect((await ada.post(`/api/alerts/deliveries/${deliveryId}/retry`, {})).statusCode).toBe(202);
    const jobs = await inside((trx) =>
      trx
        .selectFrom('job')
        .select(['kind', 'payload', 'created_by'])
        .where('kind', '=', 'webhook.deliver')
        .execute(),
    );
    expect(jobs).toEqual([
      { kind: 'webhook.deliver', payload: { deliveryId }, created_by: ada.user._id },
      { kind: 'webhook.deliver', payload: { deliveryId }, created_by: ada.user._id },
    ]);
  });
});

it('reading, and changes of rules, webhooks and deliveries, are published without ids, as they change no alert', async () => {
  const [alert = ''] = await store(1);
  const { _id: webhook } = await createWebhook();
  api.relay.published.length = 0;
  await read(ada, { ids: [alert] });
  const { _id } = (await ada.post('/api/alerts/rules', rule)).json<AlertRule>();
  await put(ada, `/api/alerts/rules/${_id}`, { name: 'Doors' });
  await ada.delete(`/api/alerts/rules/${_id}`);
  await ada.post(`/api/alerts/webhooks/${webhook}/test`, {});
  const changes = api.relay.published
    .map(({ message }) => message)
    .filter((message) => (message as OrganizationEvent).type !== 'job.updated');
  const change = { type: 'alert.changed', action: 'changed', by: ada.user._id, count: 1 };
  expect(changes).toEqual(Array.from({ length: 5 }, () => change));
});
