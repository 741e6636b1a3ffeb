import { insertJob, newId } from '@riskboard/db';
import { createWebhookVault } from '@riskboard/webhooks';
import { sql } from 'kysely';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestDeliveries } from '../../housekeeping/alert-rounds.ts';
import { alertHarness, webhookKey } from '../../testing/alerts.ts';
import { captureLog } from '../../testing/mail-fixtures.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { signedHeaders } from './sign.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let own: ReturnType<typeof alertHarness>;
let server: Server;
let status = 200;
/** Called for each request before the reply. */
let beforeReply: () => Promise<unknown> = async () => undefined;
let received: { headers: IncomingHttpHeaders; body: string }[] = [];
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      void beforeReply().then(() => reply.writeHead(status).end());
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(async () => {
  server.close();
  await harnesses.close();
});
beforeEach(async () => {
  harness = await harnesses.open();
  harness.deps.webhooks = { key: webhookKey, allowPrivate: true };
  harness.deps.origin = 'https://risk.example.org';
  own = alertHarness(harness);
  status = 200;
  beforeReply = async () => undefined;
  received = [];
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

/** A critical vulnerability whose alert goes to a webhook. @returns the ids of webhook and vulnerability */
async function alertByWebhook(): Promise<{ webhookId: string; vulnerabilityId: string }> {
  const webhookId = await own.webhook(url(), secret);
  await own.rule({ kind: 'critical-vulnerability', webhookIds: [webhookId] });
  const [vulnerabilityId = ''] = await own.vulnerabilities(9);
  await own.evaluate();
  return { webhookId, vulnerabilityId };
}

/** Runs the jobs of deliveries that were queued since the last call. */
async function deliver(): Promise<number> {
  const jobs = harness.recorded.messages.splice(0).filter(({ kind }) => kind === 'webhook.deliver');
  for (const { id } of jobs) await harness.run(id);
  return jobs.length;
}

/** Makes the next attempt due, as if its time had passed, and runs it. */
async function nextAttempt(): Promise<void> {
  await harness.inside((trx) =>
    sql`update webhook_delivery set next_attempt_at = now() where state = 'waiting'`.execute(trx),
  );
  await requestDeliveries(harness.deps);
  await deliver();
}

const secondsUntilNext = async (): Promise<number | null> => {
  const { rows } = await harness.inside((trx) =>
    sql<{ s: number | null }>`
      select round(extract(epoch from next_attempt_at - last_attempt_at)) as s from webhook_delivery`.execute(
      trx,
    ),
  );
  return rows[0]?.s ?? null;
};
const webhook = async () =>
  harness.inside((trx) =>
    trx
      .selectFrom('webhook')
      .select(['enabled', 'disabled_reason', 'failing_since'])
      .executeTakeFirstOrThrow(),
  );

describe('a delivery', () => {
  it('of an alert is posted once, signed, with ids, counts and links and no text of a record', async () => {
    const { vulnerabilityId } = await alertByWebhook();
    expect(await deliver()).toBe(1);
    expect(harness.recorded.events.findLast(({ type }) => type === 'alert.changed')).toEqual({
      type: 'alert.changed',
      action: 'changed',
      by: null,
      count: 1,
    });
    const [alert] = await own.alerts();
    const [delivery] = await own.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, status_code: 200, error: null });
    expect(received).toHaveLength(1);
    const { headers, body } = received[0] ?? { headers: {}, body: '' };
    expect(JSON.parse(body)).toEqual({
      type: 'alert.created',
      timestamp: expect.stringMatching(/Z$/u) as string,
      data: {
        id: alert?.id,
        kind: 'critical-vulnerability',
        severity: 'critical',
        count: 1,
        url: `https://risk.example.org/dashboard/vulnerabilities/${vulnerabilityId}`,
        rule: { id: expect.any(String) as string, name: 'critical-vulnerability' },
        subjectIds: [vulnerabilityId],
      },
    });
    expect(body).not.toContain('Vulnerability 1');
    const timestamp = Number(headers['webhook-timestamp']);
    expect(headers).toMatchObject(signedHeaders([secret], { id: delivery?.id ?? '', timestamp, body }));
    expect(await own.evaluate()).toBe(0);
    await requestDeliveries(harness.deps);
    expect(await deliver()).toBe(0);
  });

  it('has the time of the database, also when the clock of the worker is wrong', async () => {
    await alertByWebhook();
    const wrong = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await deliver().finally(() => wrong.mockRestore());
    const timestamp = Number(received[0]?.headers['webhook-timestamp']);
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(300);
  });

  it('that fails is tried at growing distances with the same id, and fails after the eighth attempt', async () => {
    status = 503;
    await alertByWebhook();
    await deliver();
    const waits = [await secondsUntilNext()];
    for (let n = 2; n <= 8; n += 1) {
      await nextAttempt();
      waits.push(await secondsUntilNext());
    }
    expect(waits.pop()).toBeNull();
    const delays = [5, 300, 1800, 7200, 18_000, 28_800, 36_000];
    const added = delays.map((delay, n) => (waits[n] ?? 0) / delay - 1);
    // At most a tenth of each delay, at random; rounded to seconds.
    expect(Math.min(...added)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...added.slice(1))).toBeLessThanOrEqual(0.1);
    expect(new Set(added).size).toBeGreaterThan(1);
    expect(await own.deliveries()).toMatchObject([{ state: 'failed', attempts: 8, status_code: 503 }]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const log = await harness.inside((trx) =>
      trx.selectFrom('webhook_attempt').selectAll().orderBy('n').execute(),
    );
    expect(log.map(({ n, status_code: code }) => [n, code])).toEqual(
      Array.from({ length: 8 }, (_, n) => [n + 1, 503]),
    );
    await nextAttempt();
    expect(received).toHaveLength(8);
  });

  it('is started once by several workers at once, and again when its job was lost', async () => {
    status = 500;
    await alertByWebhook();
    await deliver();
    await harness.inside((trx) => sql`update webhook_delivery set next_attempt_at = now()`.execute(trx));
    const started = await Promise.all(Array.from({ length: 4 }, () => requestDeliveries(harness.deps)));
    expect(started.reduce((sum, one) => sum + one, 0)).toBe(1);
    harness.recorded.messages.length = 0;
    expect(await requestDeliveries(harness.deps)).toBe(0);
    await harness.inside((trx) => sql`update webhook_delivery set leased_until = now()`.execute(trx));
    expect(await requestDeliveries(harness.deps)).toBe(1);
    await deliver();
    expect(await own.deliveries()).toMatchObject([{ attempts: 2 }]);
  });

  it('whose jobs fail internally counts each as an attempt, and fails after the eighth', async () => {
    await alertByWebhook();
    for (let n = 1; n <= 8; n += 1) {
      const job = harness.recorded.messages.splice(0).find(({ kind }) => kind === 'webhook.deliver');
      await harness.inside(async (trx) => {
        await sql`update job set state = 'failed', error_code = 'internal' where id = ${job?.id}`.execute(
          trx,
        );
        await sql`update webhook_delivery set leased_until = now()`.execute(trx);
      });
      expect(await requestDeliveries(harness.deps)).toBe(0);
      expect(await own.deliveries()).toMatchObject([
        {
          state: n < 8 ? 'waiting' : 'failed',
          attempts: n,
          error: 'The message was not sent because of an internal error.',
        },
      ]);
      await harness.inside((trx) =>
        sql`update webhook_delivery set next_attempt_at = now() where state = 'waiting'`.execute(trx),
      );
      expect(await requestDeliveries(harness.deps)).toBe(n < 8 ? 1 : 0);
    }
  });

  it('is signed with both secrets until the overlap of a rotation ends', async () => {
    const { webhookId } = await alertByWebhook();
    const next = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const sealed = createWebhookVault(webhookKey).close(next, webhookId);
    await harness.inside((trx) =>
      sql`update webhook set secret = ${sealed}, previous_until = now() + interval '1 hour' where id = ${webhookId}`.execute(
        trx,
      ),
    );
    await deliver();
    const [first] = received;
    const sign = (secrets: string[], { headers, body }: NonNullable<typeof first>) =>
      signedHeaders(secrets, {
        id: String(headers['webhook-id']),
        timestamp: Number(headers['webhook-timestamp']),
        body,
      })['webhook-signature'];
    expect(first?.headers['webhook-signature']).toBe(first && sign([next, secret], first));
    await harness.inside((trx) =>
      sql`update webhook set previous_until = now() - interval '1 second' where id = ${webhookId}`.execute(
        trx,
      ),
    );
    await own.vulnerabilities(9);
    await own.evaluate();
    await deliver();
    const second = received[1];
    expect(second?.headers['webhook-signature']).toBe(second && sign([next], second));
  });

  it('to a webhook that answers 410 disables it, cancels what waits and alerts the owners', async () => {
    const owner = await own.member('owner');
    await own.member('analyst');
    await alertByWebhook();
    const job = harness.recorded.messages.find(({ kind }) => kind === 'webhook.deliver');
    await own.vulnerabilities(9);
    await own.evaluate();
    status = 410;
    await harness.run(job?.id ?? '');
    expect(await webhook()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect((await own.deliveries()).map(({ state }) => state)).toEqual(['failed', 'cancelled']);
    await deliver();
    expect(received).toHaveLength(1);
    expect((await own.alerts()).at(-1)).toMatchObject({
      kind: 'webhook-disabled',
      title: 'Webhook disabled: Chat',
      for_owners: true,
    });
    expect((await own.mails()).map(({ subject_id: account }) => account)).toEqual([owner]);
  });

  it.each([
    ['410', 410],
    ['503, for five days', 503],
  ])('to a former address that answers %s neither disables the webhook nor ends', async (_case, answer) => {
    await alertByWebhook();
    const longAgo = sql`update webhook set failing_since = now() - interval '6 days'`;
    await harness.inside((trx) => longAgo.execute(trx));
    status = answer;
    // As an owner saves another address while the former one replies.
    beforeReply = () =>
      harness.inside((trx) =>
        sql`update webhook set url = ${`${url()}/new`}, failing_since = null, version = version + 1`.execute(
          trx,
        ),
      );
    await deliver();
    expect(await webhook()).toEqual({ enabled: true, disabled_reason: null, failing_since: null });
    expect(await own.deliveries()).toMatchObject([{ state: 'waiting', attempts: 1, status_code: answer }]);
    beforeReply = async () => undefined;
    status = 200;
    await nextAttempt();
    expect(await own.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('disables a webhook after five days without success, and a success starts anew', async () => {
    status = 500;
    await alertByWebhook();
    await deliver();
    const since = (days: number) =>
      harness.inside((trx) =>
        sql`update webhook set failing_since = now() - make_interval(hours => ${24 * days - 1})`.execute(trx),
      );
    await since(5);
    await nextAttempt();
    expect(await webhook()).toMatchObject({ enabled: true });
    status = 200;
    await nextAttempt();
    expect(await webhook()).toMatchObject({ enabled: true, failing_since: null });
    status = 500;
    await own.vulnerabilities(9);
    await own.evaluate();
    await since(6);
    const job = harness.recorded.messages.find(({ kind }) => kind === 'webhook.deliver');
    await deliver();
    expect(await webhook()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect((await own.deliveries()).at(-1)).toMatchObject({ state: 'cancelled', attempts: 1 });
    const { result } = await harness.job(job?.id ?? '');
    expect(result).toEqual({ delivered: 0, statusCode: 500, next: null });
  });

  it('stops while its organization is being deleted', async () => {
    await alertByWebhook();
    await harness.inside((trx) => sql`update organization set deleting_at = now()`.execute(trx));
    await deliver();
    expect(received).toEqual([]);
  });

  it.each([
    [
      'without the key of the operator',
      undefined,
      /^The operator has not set WEBHOOK_KEY for the workers, /u,
    ],
    [
      'with another key than the api',
      'y'.repeat(40),
      /^The secret cannot be decrypted: the workers have another WEBHOOK_KEY than the api, .* or it has changed, /u,
    ],
  ])('%s waits, and the log of the worker says why, without the secret', async (_case, key, reason) => {
    const log = captureLog();
    harness.deps.log = log.logger;
    harness.deps.webhooks = { ...(key && { key }), allowPrivate: true };
    await alertByWebhook();
    await deliver();
    expect(received).toEqual([]);
    expect(await own.deliveries()).toMatchObject([
      { state: 'waiting', error: expect.stringMatching(reason) as string },
    ]);
    const warnings = log
      .text()
      .match(/^.*webhook not delivered.*$/gmu)
      ?.map((line) => JSON.parse(line) as object);
    expect(warnings).toMatchObject([{ level: 40, reason: expect.stringMatching(reason) as string }]);
    expect(log.text()).not.toContain(secret);
  });

  it('goes to a private address only where the operator allows it', async () => {
    harness.deps.webhooks = { key: webhookKey, allowPrivate: false };
    await alertByWebhook();
    await deliver();
    expect(received).toEqual([]);
    expect(await own.deliveries()).toMatchObject([{ error: 'The address must start with https://.' }]);
  });
});

it('a job of an unknown delivery sends nothing and succeeds', async () => {
  const id = await harness.inside((trx) =>
    insertJob(trx, {
      kind: 'webhook.deliver',
      payload: { deliveryId: newId() },
      organizationId: harness.organizationId,
    }),
  );
  await harness.run(id);
  expect(await harness.job(id)).toMatchObject({ state: 'succeeded', result: { delivered: 0 } });
  expect(received).toEqual([]);
});
