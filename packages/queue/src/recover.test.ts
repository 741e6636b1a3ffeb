import { withClient } from '@riskboard/testing';
import { Redis } from 'ioredis';
import { describe, expect, vi } from 'vitest';
import { backends } from './testing/backends.ts';
import { newMessage } from './testing/messages.ts';
import { itWithQueue, recovery } from './testing/queue-fixture.ts';

async function query(url: string, statement: string, values: readonly string[]): Promise<void> {
  await withClient(url, (client) => client.query(statement, [...values]));
}

const changes = [
  ['holds its messages locked', `state = 'active', lock_token = 'dead', locked_until_ms = $1`],
  ['has delayed its messages', `state = 'delayed', process_at_ms = $1`],
] as const;

describe.each(backends.filter(({ name }) => name === 'PostgreSQL'))(
  'after a worker on $name whose clock was an hour ahead',
  ({ open }) => {
    const it = itWithQueue(open);

    for (const [state, change] of changes)
      it(`${state}, a recovery lets another worker run them`, async ({ queue }) => {
        const { databaseUrl, prefix } = queue.backend.direct;
        const message = newMessage();
        await queue.enqueue([message]);
        const inAnHour = String(Date.now() + 3_600_000);
        await query(databaseUrl, `update bullmq.job set ${change}`, [inAnHour]);
        await query(
          databaseUrl,
          `insert into bullmq.meta (queue, field, value) values ($1, 'stalled-check', $2)
           on conflict (queue, field) do update set value = excluded.value`,
          [`${prefix}-jobs`, inAnHour],
        );
        const consumer = queue.consume();
        await queue.producer.recover();
        await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBe(1), recovery);
      });
  },
);

describe.each(backends.filter(({ name }) => name === 'Redis'))(
  'after a worker on $name whose clock was an hour ahead',
  ({ open }) => {
    const it = itWithQueue(open);

    it('has delayed a message, a recovery limits the delay and leaves those of other workers', async ({
      queue,
    }) => {
      const { redisUrl = '', prefix } = queue.backend.direct;
      const [late, delayed] = [newMessage(), newMessage()];
      await queue.enqueue([
        { ...late, delayMs: 1000 },
        { ...delayed, delayMs: 120_000 },
      ]);
      const redis = new Redis(redisUrl);
      const inAnHour = (Date.now() + 3_600_000) * 4096;
      expect(await redis.zadd(`${prefix}:${prefix}-jobs:delayed`, 'XX', 'CH', inAnHour, late.id)).toBe(1);
      redis.disconnect();
      const consumer = queue.consume();
      await queue.producer.recover();
      await vi.waitFor(() => expect(consumer.runsOf(late.id)).toBe(1), recovery);
      await queue.producer.recover();
      expect(await queue.producer.counts()).toMatchObject({ delayed: 1 });
      expect(consumer.runsOf(delayed.id)).toBe(0);
    });
  },
);
