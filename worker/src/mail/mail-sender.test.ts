import { mailWaitingTopic } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import type { RelayHandler } from '@riskboard/queue';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { captureLog, makeAccount, requestMail } from '../testing/mail-fixtures.ts';
import { readMail } from '../testing/read-mail.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-server.ts';
import { openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';
import { openSmtp } from './delivery/smtp.ts';
import { type RunningMailSender, startMailSender } from './mail-sender.ts';

let harness: HarnessDatabase;
let server: TestSmtpServer;
let senders: RunningMailSender[];
let handlers: Map<string, RelayHandler>;
let log: ReturnType<typeof captureLog>;
beforeAll(async () => {
  harness = await openHarnessDatabase();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.system.deleteFrom('outgoing_mail').execute();
  server = await startSmtpServer();
  senders = [];
  handlers = new Map();
  log = captureLog();
});
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close(1000)));
  await server.close();
});

interface StartOptions {
  url?: string;
  everyMs?: number;
  /** Subscriptions that the relay rejects first. */
  failedSubscriptions?: number;
}

function start({
  url = server.url,
  everyMs = 3_600_000,
  failedSubscriptions = 0,
}: StartOptions = {}): RunningMailSender {
  let failures = failedSubscriptions;
  const sender = startMailSender({
    verifyEmail: false,
    system: harness.database.system,
    log: log.logger,
    origin: 'https://risk.example.org',
    transport: openSmtp(url, 'Riskboard <risk@example.org>'),
    everyMs,
    relay: {
      async subscribe(topic, handler) {
        failures -= 1;
        if (failures >= 0) throw new Error('relay down');
        handlers.set(topic, handler);
        return async () => void handlers.delete(topic);
      },
    },
  });
  senders.push(sender);
  return sender;
}

async function request(): Promise<string> {
  const email = `${newId()}@example.org`;
  await makeAccount(harness.database, { email });
  await requestMail(harness.database, { kind: 'password-reset', email });
  return email;
}
const notify = () => handlers.get(mailWaitingTopic)?.({}, mailWaitingTopic);
const recipients = () => server.received.flatMap(({ to }) => to);
const outgoingTries = async () =>
  (await harness.database.system.selectFrom('outgoing_mail').select('tries').execute()).map(
    ({ tries }) => tries,
  );

it('sends due mails when it starts, and later ones when it is notified', async () => {
  const first = await request();
  start();
  await expect.poll(recipients).toEqual([first]);
  await expect.poll(outgoingTries).toEqual([]);
  const second = await request();
  await notify();
  await expect.poll(recipients).toEqual([first, second]);
  expect(readMail(server.received[1]?.raw ?? '').link).toContain(
    'https://risk.example.org/reset-password?token=',
  );
});

it('polls for mails without a notification', async () => {
  start({ everyMs: 50 });
  await expect.poll(() => handlers.size).toBe(1);
  const email = await request();
  await expect.poll(recipients).toEqual([email]);
});

it('subscribes again after the relay was unavailable', async () => {
  start({ everyMs: 20, failedSubscriptions: 2 });
  await expect.poll(() => handlers.has(mailWaitingTopic)).toBe(true);
  expect(log.text().match(/mail notifications unavailable; polling/g)).toHaveLength(2);
});

it('retries when the SMTP server was down, and sends when it is up', async () => {
  const { port } = server;
  await server.close();
  const email = await request();
  start({ url: `smtp://127.0.0.1:${port}`, everyMs: 50 });
  await expect.poll(() => log.text()).toContain('mail not sent');
  expect(await outgoingTries()).toEqual([1]);
  server = await startSmtpServer({ port });
  await harness.database.system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now()` })
    .execute();
  await expect.poll(recipients).toEqual([email]);
  await expect.poll(outgoingTries).toEqual([]);
});

it('several senders in one process send each mail once', async () => {
  const emails = await Promise.all(Array.from({ length: 12 }, request));
  for (let n = 0; n < 3; n += 1) start({ everyMs: 20 });
  await expect.poll(outgoingTries).toEqual([]);
  expect(recipients().toSorted()).toEqual(emails.toSorted());
});

it('closing finishes the mail being sent and starts no other', async () => {
  await server.close();
  const started = Promise.withResolvers<void>();
  server = await startSmtpServer({
    answer(command) {
      if (command.startsWith('EHLO')) started.resolve();
      return undefined;
    },
  });
  await Promise.all([request(), request()]);
  const sender = start();
  await started.promise;
  await sender.close(5000);
  expect(recipients()).toHaveLength(1);
  expect(await outgoingTries()).toEqual([0]);
  expect(handlers.size).toBe(0);
});

it('closing aborts a delivery that takes longer than its timeout, and the mail is sent later', async () => {
  await server.close();
  server = await startSmtpServer({ answer: (command) => (command.startsWith('EHLO') ? null : undefined) });
  await request();
  const sender = start();
  await expect.poll(outgoingTries).toEqual([1]);
  const before = performance.now();
  await sender.close(100);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(log.text()).toContain('mail not sent: the worker closes');
  expect(await outgoingTries()).toEqual([0]);
});
