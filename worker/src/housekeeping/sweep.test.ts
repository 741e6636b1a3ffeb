import { insertJob, type Schema } from '@riskboard/db';
import { sql, type UpdateObject } from 'kysely';
import type { OutgoingMessage } from '@riskboard/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from './sweep.ts';
import { bundle, threat } from '../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  await harnesses.database.system.updateTable('job').set({ state: 'cancelled' }).execute();
});

const thresholds = { silentMs: 15_000, messageLostMs: 10_000 };
const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

/** A job whose row has these values. */
async function jobWith(values: UpdateObject<Schema, 'job'>): Promise<string> {
  const { parseJobId } = await harness.store(`${Math.random()}.json`, bundle([threat()]));
  await harness.inside((trx) => trx.updateTable('job').set(values).where('id', '=', parseJobId).execute());
  return parseJobId;
}

/** Sweeps once. @returns the ids of the enqueued jobs */
async function sweepOnce(): Promise<string[]> {
  const messages: OutgoingMessage[] = [];
  const producer = {
    async enqueue(more: readonly OutgoingMessage[]) {
      messages.push(...more);
    },
    recover: async () => {},
  };
  expect(await sweep({ database: harnesses.database, producer }, thresholds)).toBe(messages.length);
  return messages.map(({ id }) => id);
}

describe('enqueues again a job that is', () => {
  it.each([
    ['queued, with an old message', { rung_at: ago(11) }],
    ['queued for a retry that is due', { rung_at: ago(11), run_at: ago(1), tries: 1 }],
    [
      'queued for a retry, from before the clock was set back',
      { rung_at: ago(11), run_at: ago(-3600), tries: 1 },
    ],
    ['queued, with a message from before the clock was set back', { rung_at: ago(-3600) }],
    [
      'running, with a heartbeat from before the clock was set back',
      { state: 'running' as const, rung_at: ago(-3600), heartbeat_at: ago(-3600) },
    ],
    ['running, without a heartbeat', { state: 'running' as const, rung_at: ago(60), heartbeat_at: ago(16) }],
  ])('%s, and only once', async (_what, row) => {
    const id = await jobWith(row);
    expect(await sweepOnce()).toEqual([id]);
    expect(await sweepOnce()).toEqual([]);
  });

  describe('a failed deletion of an organization', () => {
    const requested = async (deletingAt: Date | null, finishedSeconds: number) => {
      const { organizationId } = harness;
      return harness.inside(async (trx) => {
        await trx.updateTable('organization').set({ deleting_at: deletingAt }).execute();
        const id = await insertJob(trx, { kind: 'organization.delete', payload: {}, organizationId });
        await trx
          .updateTable('job')
          .set({
            state: 'failed',
            tries: 10,
            finished_at: ago(finishedSeconds),
            rung_at: ago(finishedSeconds),
          })
          .where('id', '=', id)
          .execute();
        return id;
      });
    };

    it('after ten minutes, and only once', async () => {
      const id = await requested(new Date(), 601);
      expect(await sweepOnce()).toEqual([id]);
      expect(await harness.job(id)).toMatchObject({ state: 'queued', tries: 0, finished_at: null });
      expect(await sweepOnce()).toEqual([]);
    });

    it.each([
      ['before ten minutes have passed', new Date(), 590],
      ['that was withdrawn', null, 601],
    ])('not %s', async (_what, deletingAt, seconds) => {
      const id = await requested(deletingAt, seconds);
      expect(await sweepOnce()).toEqual([]);
      expect(await harness.job(id)).toMatchObject({ state: 'failed', tries: 10 });
    });
  });

  it('in the order in which the jobs were created', async () => {
    const ids = [
      await jobWith({ rung_at: ago(11) }),
      await jobWith({ rung_at: ago(90) }),
      await jobWith({ rung_at: ago(20) }),
    ];
    expect(await sweepOnce()).toEqual(ids);
  });

  it('with a message that has the job’s kind and organization', async () => {
    const id = await jobWith({ rung_at: ago(11) });
    await sweep({ database: harnesses.database, producer: harness.deps.producer }, thresholds);
    expect(harness.recorded.messages).toEqual([
      { id, kind: 'stix.parse', organizationId: harness.organizationId, order: 1 },
    ]);
  });
});

describe('does not enqueue a job that is', () => {
  it.each([
    ['queued just now', { state: 'queued' as const }],
    ['queued for a retry later', { rung_at: ago(60), run_at: ago(-600) }],
    ['held in a paused batch', { rung_at: ago(60), run_at: sql<Date>`'infinity'` }],
    ['waiting for another job', { rung_at: ago(60), waits_for: '01890a5d-ac96-774b-bcce-b302099a8057' }],
    [
      'running, with a recent heartbeat',
      { state: 'running' as const, rung_at: ago(60), heartbeat_at: ago(5) },
    ],
    [
      'running, without a heartbeat, with a recent message',
      { state: 'running' as const, rung_at: ago(1), heartbeat_at: ago(60) },
    ],
    ['succeeded', { state: 'succeeded' as const, rung_at: ago(60) }],
    ['failed', { state: 'failed' as const, rung_at: ago(60) }],
    ['cancelled', { state: 'cancelled' as const, rung_at: ago(60) }],
  ])('%s', async (_what, row) => {
    await jobWith(row);
    expect(await sweepOnce()).toEqual([]);
  });
});

it('concurrent sweeps enqueue each job once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => jobWith({ rung_at: ago(60) })));
  const both = await Promise.all([sweepOnce(), sweepOnce(), sweepOnce()]);
  expect(both.flat().toSorted()).toEqual(ids.toSorted());
});

it('a sweep enqueues at most 500 jobs, the oldest messages first', async () => {
  const first = await jobWith({ rung_at: ago(120) });
  await jobWith({ rung_at: ago(60) });
  await harness.inside((trx) =>
    sql`
      insert into job (id, organization_id, kind, payload, rung_at)
      select gen_random_uuid(), current_organization(), 'stix.parse', '{}', now() - interval '90 s'
      from generate_series(1, 500)`.execute(trx),
  );
  const ids = await sweepOnce();
  expect(ids).toHaveLength(500);
  expect(ids).toContain(first);
  expect(await sweepOnce()).toHaveLength(2);
});

it('a later sweep enqueues a job when the queue was unreachable', async () => {
  const id = await jobWith({ rung_at: ago(11) });
  const producer = { enqueue: () => Promise.reject(new Error('down')), recover: async () => {} };
  await expect(sweep({ database: harnesses.database, producer }, thresholds)).rejects.toThrow('down');
  await harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ rung_at: ago(11) })
      .where('id', '=', id)
      .execute(),
  );
  expect(await sweepOnce()).toEqual([id]);
});

it('a sweep deletes interrupted uploads and keeps running ones', async () => {
  const { contentId } = await harness.store('a.json', bundle([threat()]));
  const add = (complete: boolean, seconds: number) =>
    harness.inside((trx) =>
      trx
        .insertInto('file_content')
        .values({
          organization_id: harness.organizationId,
          id: sql<string>`gen_random_uuid()`,
          complete,
          created_at: ago(seconds),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  await add(false, 121 * 60);
  const receiving = await add(false, 119 * 60);
  await sweepOnce();
  const left = await harness.inside((trx) => trx.selectFrom('file_content').select('id').execute());
  expect(left.map(({ id }) => id).toSorted()).toEqual([contentId, receiving.id].toSorted());
});
