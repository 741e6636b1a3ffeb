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

const thresholds = { silentMs: 15_000, unheardMs: 10_000 };
const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

/** A job whose row stands like this. */
async function jobThat(is: UpdateObject<Schema, 'job'>): Promise<string> {
  const { parseJobId } = await harness.store(`${Math.random()}.json`, bundle([threat()]));
  await harness.inside((trx) => trx.updateTable('job').set(is).where('id', '=', parseJobId).execute());
  return parseJobId;
}

/** Sweeps once. @returns the ids that were rung for */
async function rung(): Promise<string[]> {
  const bells: OutgoingMessage[] = [];
  const producer = {
    async enqueue(more: readonly OutgoingMessage[]) {
      bells.push(...more);
    },
  };
  expect(await sweep({ database: harnesses.database, producer }, thresholds)).toBe(bells.length);
  return bells.map(({ id }) => id);
}

describe('rings', () => {
  it.each([
    ['queued, rung for long ago', { rung_at: ago(11) }],
    ['queued for a retry whose time has come', { rung_at: ago(11), run_at: ago(1), tries: 1 }],
    ['running, silent', { state: 'running' as const, rung_at: ago(60), heartbeat_at: ago(16) }],
  ])('%s, and only once', async (_what, row) => {
    const id = await jobThat(row);
    expect(await rung()).toEqual([id]);
    expect(await rung()).toEqual([]);
  });

  describe('a deletion of the organization that was given up on', () => {
    const asked = async (deletingAt: Date | null, finishedSeconds: number) => {
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

    it('ten minutes later, and only once', async () => {
      const id = await asked(new Date(), 601);
      expect(await rung()).toEqual([id]);
      expect(await harness.job(id)).toMatchObject({ state: 'queued', tries: 0, finished_at: null });
      expect(await rung()).toEqual([]);
    });

    it.each([
      ['too early', new Date(), 590],
      ['that nobody wants any more', null, 601],
    ])('not %s', async (_what, deletingAt, seconds) => {
      const id = await asked(deletingAt, seconds);
      expect(await rung()).toEqual([]);
      expect(await harness.job(id)).toMatchObject({ state: 'failed', tries: 10 });
    });
  });

  it('in the order in which the work was asked for', async () => {
    const ids = [
      await jobThat({ rung_at: ago(11) }),
      await jobThat({ rung_at: ago(90) }),
      await jobThat({ rung_at: ago(20) }),
    ];
    expect(await rung()).toEqual(ids);
  });

  it('with the job’s kind and organisation', async () => {
    const id = await jobThat({ rung_at: ago(11) });
    await sweep({ database: harnesses.database, producer: harness.deps.producer }, thresholds);
    expect(harness.recorded.bells).toEqual([
      { id, kind: 'stix.parse', organizationId: harness.organizationId },
    ]);
  });
});

describe('leaves alone', () => {
  it.each([
    ['queued just now', { state: 'queued' as const }],
    ['queued for a retry later', { rung_at: ago(60), run_at: ago(-60) }],
    ['waiting for another', { rung_at: ago(60), waits_for: '01890a5d-ac96-774b-bcce-b302099a8057' }],
    ['running and heard from', { state: 'running' as const, rung_at: ago(60), heartbeat_at: ago(5) }],
    ['running, silent, but rung for', { state: 'running' as const, rung_at: ago(1), heartbeat_at: ago(60) }],
    ['succeeded', { state: 'succeeded' as const, rung_at: ago(60) }],
    ['failed', { state: 'failed' as const, rung_at: ago(60) }],
    ['cancelled', { state: 'cancelled' as const, rung_at: ago(60) }],
  ])('%s', async (_what, row) => {
    await jobThat(row);
    expect(await rung()).toEqual([]);
  });
});

it('two at once ring for a row once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => jobThat({ rung_at: ago(60) })));
  const both = await Promise.all([rung(), rung(), rung()]);
  expect(both.flat().toSorted()).toEqual(ids.toSorted());
});

it('takes the longest unheard first, so many at a time', async () => {
  const first = await jobThat({ rung_at: ago(120) });
  await jobThat({ rung_at: ago(60) });
  await harness.inside((trx) =>
    sql`
      insert into job (id, organization_id, kind, payload, rung_at)
      select gen_random_uuid(), current_organization(), 'stix.parse', '{}', now() - interval '90 s'
      from generate_series(1, 500)`.execute(trx),
  );
  const ids = await rung();
  expect(ids).toHaveLength(500);
  expect(ids).toContain(first);
  expect(await rung()).toHaveLength(2);
});

it('a queue that is away keeps the row for a later sweep', async () => {
  const id = await jobThat({ rung_at: ago(11) });
  const producer = { enqueue: () => Promise.reject(new Error('down')) };
  await expect(sweep({ database: harnesses.database, producer }, thresholds)).rejects.toThrow('down');
  await harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ rung_at: ago(11) })
      .where('id', '=', id)
      .execute(),
  );
  expect(await rung()).toEqual([id]);
});

it('removes what was being received when its api died, and nothing else', async () => {
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
  await add(false, 3 * 3600);
  const receiving = await add(false, 60);
  await rung();
  const left = await harness.inside((trx) => trx.selectFrom('file_content').select('id').execute());
  expect(left.map(({ id }) => id).toSorted()).toEqual([contentId, receiving.id].toSorted());
});
