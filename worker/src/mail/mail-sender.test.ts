import { mailWaitingTopic } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import type { RelayHandler } from '@riskboard/queue';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { askMail, keepLog, makeAccount } from '../testing/mails.ts';
import { readMail } from '../testing/read-mail.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-server.ts';
import { openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';
import { type RunningMailSender, startMailSender } from './mail-sender.ts';
import { openSmtp } from './smtp.ts';

let harness: HarnessDatabase;
let server: TestSmtpServer;
let senders: RunningMailSender[];
let bells: Map<string, RelayHandler>;
let kept: ReturnType<typeof keepLog>;
beforeAll(async () => {
  harness = await openHarnessDatabase();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.system.deleteFrom('outgoing_mail').execute();
  server = await startSmtpServer();
  senders = [];
  bells = new Map();
  kept = keepLog();
});
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close(1000)));
  await server.close();
});

interface StartOptions {
  url?: string;
  everyMs?: number;
  /** How often the relay fails before it takes the subscription. */
  deaf?: number;
}

function start({ url = server.url, everyMs = 3_600_000, deaf = 0 }: StartOptions = {}): RunningMailSender {
  let failures = deaf;
  const sender = startMailSender({
    system: harness.database.system,
    log: kept.log,
    origin: 'https://risk.example.org',
    transport: openSmtp(url, 'Riskboard <risk@example.org>'),
    everyMs,
    relay: {
      async subscribe(topic, handler) {
        failures -= 1;
        if (failures >= 0) throw new Error('relay down');
        bells.set(topic, handler);
        return async () => void bells.delete(topic);
      },
    },
  });
  senders.push(sender);
  return sender;
}

async function ask(): Promise<string> {
  const email = `${newId()}@example.org`;
  await makeAccount(harness.database, { email });
  await askMail(harness.database, { kind: 'password-reset', email });
  return email;
}
const ring = () => bells.get(mailWaitingTopic)?.({}, mailWaitingTopic);
const recipients = () => server.received.flatMap(({ to }) => to);
const waiting = async () =>
  (await harness.database.system.selectFrom('outgoing_mail').select('tries').execute()).map(
    ({ tries }) => tries,
  );

it('sends what waits when it starts, and then at the bell', async () => {
  const first = await ask();
  start();
  await expect.poll(recipients).toEqual([first]);
  await expect.poll(waiting).toEqual([]);
  const second = await ask();
  await ring();
  await expect.poll(recipients).toEqual([first, second]);
  expect(readMail(server.received[1]?.raw ?? '').link).toContain(
    'https://risk.example.org/reset-password?token=',
  );
});

it('finds what no bell told of', async () => {
  start({ everyMs: 50 });
  await expect.poll(() => bells.size).toBe(1);
  const email = await ask();
  await expect.poll(recipients).toEqual([email]);
});

it('asks for the bell again when the relay was away', async () => {
  start({ everyMs: 20, deaf: 2 });
  await expect.poll(() => bells.has(mailWaitingTopic)).toBe(true);
  expect(kept.text().match(/the bell for mails is not heard/g)).toHaveLength(2);
});

it('waits for a server that is down, and sends when it is up', async () => {
  const { port } = server;
  await server.close();
  const email = await ask();
  start({ url: `smtp://127.0.0.1:${port}`, everyMs: 50 });
  await expect.poll(() => kept.text()).toContain('mail not sent');
  expect(await waiting()).toEqual([1]);
  server = await startSmtpServer({ port });
  await harness.database.system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now()` })
    .execute();
  await expect.poll(recipients).toEqual([email]);
  await expect.poll(waiting).toEqual([]);
});

it('several in one place send each mail once', async () => {
  const emails = await Promise.all(Array.from({ length: 12 }, ask));
  for (let n = 0; n < 3; n += 1) start({ everyMs: 20 });
  await expect.poll(waiting).toEqual([]);
  expect(recipients().toSorted()).toEqual(emails.toSorted());
});

it('ends with the mail that it has begun, and leaves the next to others', async () => {
  await server.close();
  const begun = Promise.withResolvers<void>();
  server = await startSmtpServer({
    answer(command) {
      if (command.startsWith('EHLO')) begun.resolve();
      return undefined;
    },
  });
  await Promise.all([ask(), ask()]);
  const sender = start();
  await begun.promise;
  await sender.close(5000);
  expect(recipients()).toHaveLength(1);
  expect(await waiting()).toEqual([0]);
  expect(bells.size).toBe(0);
});

it('gives up in time a server that takes too long, for a later try', async () => {
  await server.close();
  server = await startSmtpServer({ answer: (command) => (command.startsWith('EHLO') ? null : undefined) });
  await ask();
  const sender = start();
  await expect.poll(waiting).toEqual([1]);
  const before = performance.now();
  await sender.close(100);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(kept.text()).toContain('mail not sent');
  expect(await waiting()).toEqual([1]);
});
