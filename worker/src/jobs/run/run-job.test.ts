import { cancelJobs, withOrganization } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  crashPoint,
  stopBeforeCommit,
  stopAtStart,
  lockWaits,
  silence,
  takeOver,
} from '../../testing/crash-points.ts';
import { rowCounts, snapshot } from '../../testing/snapshot.ts';
import { bundle, threat, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';
import type { JobContext, JobHandlers } from './context.ts';
import { JobFailure } from './failures.ts';
import { handlers } from '../handlers.ts';
import { claim } from './job-row.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const report = () => bundle([vulnerability({ cves: ['CVE-2021-44228'] }), threat()]);

/** Handlers of which the parse is this. */
const parsing = (parse: (context: JobContext<'stix.parse'>) => Promise<never>): JobHandlers => ({
  ...handlers,
  'stix.parse': parse,
});

/** Works until it is told to stop. */
const untilAborted = ({ signal }: { signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const failing = parsing(() => Promise.reject(new Error('The disk is on fire')));

describe('once', () => {
  it('a bell of a job that has ended does nothing and tells nothing', async () => {
    const { fileId, parseJobId } = await harness.read('a.json', report());
    const extraction = await harness.extract(fileId);
    const before = await snapshot(harness);
    const told = harness.recorded.events.length;
    for (const id of [parseJobId, extraction.id, parseJobId]) await harness.run(id);
    expect(await snapshot(harness)).toEqual(before);
    expect(harness.recorded.events).toHaveLength(told);
  });

  it.each(['parse', 'extraction'])('a %s that is rung for five times at once runs once', async (which) => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
    if (which === 'extraction') await harness.run(parseJobId);
    const id = which === 'parse' ? parseJobId : extractJobId;
    const rung = await Promise.allSettled([1, 2, 3, 4, 5].map(() => harness.run(id)));
    for (const run of rung) if (run.status === 'rejected') expect(run.reason).toBeInstanceOf(RetryLater);
    expect(rung.filter(({ status }) => status === 'fulfilled')).not.toEqual([]);
    expect(await harness.job(id)).toMatchObject({ state: 'succeeded', attempt: 1, tries: 1 });
    const ends = harness.recorded.events.filter(
      (event) => event.type === 'job.updated' && event.job._id === id && event.job.state === 'succeeded',
    );
    expect(ends).toHaveLength(1);
  });

  it('a job of another organisation is nobody', async () => {
    const other = await harnesses.open();
    const { parseJobId } = await harness.store('a.json', report());
    const bell = { id: parseJobId, kind: 'stix.parse', organizationId: other.organizationId } as const;
    expect(await claim(harness.database, bell)).toBeUndefined();
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', attempt: 0 });
  });
});

describe('the fence', () => {
  it.each([
    ['parse', 'its start', stopAtStart],
    ['parse', 'its commit', stopBeforeCommit],
    ['extraction', 'its start', stopAtStart],
    ['extraction', 'its commit', stopBeforeCommit],
  ])('a %s that was frozen before %s and taken over leaves nothing', async (which, _where, gated) => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), [
      'vulnerabilities',
      'threats',
    ]);
    if (which === 'extraction') await harness.run(parseJobId);
    const id = which === 'parse' ? parseJobId : extractJobId;
    const frozen = crashPoint();
    const old = harness.run(id, { handlers: gated(frozen) });
    await frozen.reached;
    const next = takeOver(harness, id, () => harness.run(id));
    if (gated === stopBeforeCommit) {
      // The old run holds the file: the next one waits until it is refused.
      await lockWaits(harness.database);
      frozen.open();
      await Promise.all([old, next]);
    } else {
      await next;
      const before = await snapshot(harness);
      const told = harness.recorded.events.length;
      frozen.open();
      await old;
      expect(await snapshot(harness)).toEqual(before);
      expect(harness.recorded.events).toHaveLength(told);
    }
    expect(await harness.job(id)).toMatchObject({ state: 'succeeded', attempt: 2 });
    const counts = await rowCounts(harness);
    const extracted = which === 'extraction' ? 1 : 0;
    expect(counts).toMatchObject({
      report_record: 2,
      vulnerability: extracted,
      threat: extracted,
      activity: extracted,
    });
  });

  it('a live run is not taken over, and the bell comes back when it may have died', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const busy = crashPoint();
    const run = harness.run(parseJobId, { handlers: stopAtStart(busy) });
    await busy.reached;
    await expect(harness.run(parseJobId)).rejects.toThrow(RetryLater);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'running', attempt: 1 });
    busy.open();
    await run;
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 1 });
  });
});

describe('failure', () => {
  it('of the report is told at once and never retried', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', `${report()}]`, ['threats']);
    await harness.run(parseJobId);
    const job = await harness.job(parseJobId);
    expect(job).toMatchObject({ state: 'failed', tries: 1, error_code: 'malformed' });
    expect(job.error_message).toMatch(/line 1, column \d+/);
    expect(job.finished_at).not.toBeNull();
    expect(await harness.job(extractJobId)).toMatchObject({
      state: 'failed',
      error_code: 'prerequisite_failed',
      error_message: `Not started: ${job.error_message}`,
      waits_for: null,
    });
    expect(await rowCounts(harness)).toMatchObject({ report_record: 0, report_object: 0, vulnerability: 0 });
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toEqual(job);
  });

  it('of ours is tried three times, each later than the last, then told', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    for (const [tries, delayMs] of [
      [1, 1000],
      [2, 2000],
    ]) {
      await expect(harness.run(parseJobId, { handlers: failing })).rejects.toMatchObject({ delayMs });
      const job = await harness.job(parseJobId);
      expect(job).toMatchObject({ state: 'queued', tries, error_code: 'retrying', finished_at: null });
      expect(job.run_at.getTime() - job.rung_at.getTime()).toBe(delayMs);
    }
    await harness.run(parseJobId, { handlers: failing });
    expect(await harness.job(parseJobId)).toMatchObject({
      state: 'failed',
      tries: 3,
      error_code: 'internal',
      error_message: 'Failed 3 times because of an internal error.',
    });
  });

  it.each(['40001', '40P01', '55P03'])(
    'because another transaction was in the way (%s) is retried without counting as a try',
    async (code) => {
      const { parseJobId } = await harness.store('a.json', report());
      const blocked = parsing(() => Promise.reject(Object.assign(new Error('in the way'), { code })));
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        await expect(harness.run(parseJobId, { handlers: blocked })).rejects.toMatchObject({ delayMs: 2000 });
        expect(await harness.job(parseJobId)).toMatchObject({
          state: 'queued',
          tries: 0,
          attempt,
          error_message: 'Waiting for other work on the same data.',
        });
      }
      await harness.run(parseJobId);
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', error_code: null });
    },
  );

  it('of ours is forgotten by the try that succeeds', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    await expect(harness.run(parseJobId, { handlers: failing })).rejects.toThrow(RetryLater);
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 2, error_code: null });
  });

  it('without a word, three times, is given up with what waits for it', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const bell = { id: parseJobId, kind: 'stix.parse', organizationId: harness.organizationId } as const;
    for (const attempt of [1, 2, 3]) {
      expect(await claim(harness.database, bell)).toMatchObject({ job: { attempt } });
      await silence(harness, parseJobId);
    }
    await harness.run(parseJobId);
    const gaveUp = { state: 'failed', error_code: 'gave_up', attempt: 3 };
    expect(await harness.job(parseJobId)).toMatchObject(gaveUp);
    expect(await harness.job(extractJobId)).toMatchObject({
      state: 'failed',
      error_code: 'prerequisite_failed',
    });
    const told = harness.recorded.events.flatMap((event) =>
      event.type === 'job.updated' ? event.job._id : [],
    );
    expect(told).toEqual([parseJobId, extractJobId]);
  });

  it('said in a worker that is closing is the report’s all the same', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const closing = AbortSignal.abort(new Error('Closing'));
    const refusing = parsing(() => Promise.reject(new JobFailure('not-stix', 'No report.')));
    await harness.run(parseJobId, { handlers: refusing, shutdown: closing });
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed', error_code: 'not-stix' });
  });
});

describe('what waits', () => {
  it('starts when its report has been read, and not before', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
    await harness.run(extractJobId);
    expect(await harness.job(extractJobId)).toMatchObject({
      state: 'queued',
      attempt: 0,
      waits_for: parseJobId,
    });
    await harness.run(parseJobId);
    expect(harness.recorded.bells).toEqual([
      { id: extractJobId, kind: 'stix.extract', organizationId: harness.organizationId },
    ]);
    await harness.run(extractJobId);
    expect(await harness.job(extractJobId)).toMatchObject({ state: 'succeeded', waits_for: null });
  });

  it('ends with a job that is cancelled', async () => {
    const { fileId, parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const cancelled = await harness.inside((trx) => cancelJobs(trx, { fileIds: [fileId] }));
    expect(cancelled.map(({ id }) => id).toSorted()).toEqual([parseJobId, extractJobId].toSorted());
    for (const id of [parseJobId, extractJobId]) {
      await harness.run(id);
      expect(await harness.job(id)).toMatchObject({ state: 'cancelled', attempt: 0 });
    }
  });

  it('goes to the queue even when nobody can be told', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const down = () => Promise.reject(new Error('down'));
    Object.assign(harness.deps.relay, { publish: down, subscribe: down });
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded' });
    expect(harness.recorded.bells.map(({ id }) => id)).toEqual([extractJobId]);
  });

  it('is left to the sweep when the queue is away', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    Object.assign(harness.deps.producer, { enqueue: () => Promise.reject(new Error('down')) });
    await harness.run(parseJobId);
    expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', waits_for: null });
  });
});

describe('a job of a newer version', () => {
  it.each([
    ['payload', { payload: '{"fileId":"3f1c","kinds":["campaigns"]}' }],
    ['kind', { kind: 'stix.translate' }],
  ])('with an unknown %s is left as it is for its worker', async (_what, newer) => {
    const { fileId } = await harness.read('a.json', report());
    const { id } = await harness.extract(fileId);
    await harness.inside((trx) =>
      trx
        .updateTable('job')
        .set({ ...newer, state: 'queued', tries: 0 })
        .where('id', '=', id)
        .execute(),
    );
    const before = await harness.job(id);
    const bell = { id, kind: 'stix.extract', organizationId: harness.organizationId } as const;
    expect(await claim(harness.database, bell)).toEqual({ againMs: 5000 });
    expect(await harness.job(id)).toEqual(before);
  });
});

describe('a worker that closes', () => {
  it('gives its job back, not counted as a try, and its bell too', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const closing = new AbortController();
    const begun = crashPoint();
    const run = harness.run(parseJobId, {
      shutdown: closing.signal,
      handlers: parsing((context) => {
        void begun.pass();
        return untilAborted(context);
      }),
    });
    await begun.reached;
    closing.abort(new Error('Closing'));
    await expect(run).rejects.toThrow('Closing');
    expect(await harness.job(parseJobId)).toMatchObject({
      state: 'queued',
      attempt: 1,
      tries: 0,
      error_code: null,
    });
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  it('leaves no half of a report that it was reading', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    await expect(
      harness.run(parseJobId, { shutdown: AbortSignal.abort(new Error('Closing')) }),
    ).rejects.toThrow('Closing');
    expect(await rowCounts(harness)).toMatchObject({ report_record: 0, report_object: 0 });
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', tries: 0 });
  });
});

describe('what is told', () => {
  it('is committed before, grows in version, and ends with the last state', async () => {
    const { parseJobId, fileId } = await harness.store('a.json', report(), ['vulnerabilities', 'threats']);
    const versions: number[] = [];
    const { publish } = harness.deps.relay;
    harness.deps.relay.publish = async (topic, message) => {
      await publish(topic, message);
      expect(topic).toMatch(`org.${harness.organizationId}.`);
      const event = harness.recorded.events.at(-1);
      const row = await withOrganization(harness.database, harness.organizationId, (trx) =>
        sql<{ version: number; object_count: number | null }>`
          select j.version, f.object_count from job j join report_file f on f.id = j.file_id where j.id = ${parseJobId}`.execute(
          trx,
        ),
      );
      if (event?.type === 'file.changed') expect(row.rows[0]?.object_count).toBe(2);
      if (event?.type !== 'job.updated' || event.job._id !== parseJobId) return;
      expect(row.rows[0]?.version).toBeGreaterThanOrEqual(event.job.version);
      versions.push(event.job.version);
    };
    await harness.run(parseJobId);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    const last = await harness.job(parseJobId);
    expect(versions.at(-1)).toBe(last.version);
    const told = harness.recorded.events.map((event) => event.type);
    expect(told.at(-1)).toBe('file.changed');
    expect(harness.recorded.events.at(-1)).toMatchObject({ ids: [fileId], count: 1 });
  });
});

it('a run publishes its end and its events although the database is unreachable after the commit', async () => {
  const { fileId, parseJobId } = await harness.store('a.json', report());
  const { app } = harness.deps.database;
  let committed = false;
  Object.assign(harness.deps, {
    database: {
      ...harness.deps.database,
      app: {
        transaction() {
          if (committed) throw new Error('Connection terminated');
          return app.transaction();
        },
      },
    },
  });
  const finishing: JobHandlers = {
    ...handlers,
    async 'stix.parse'(context) {
      const events = await handlers['stix.parse'](context);
      committed = true;
      return events;
    },
  };
  await harness.run(parseJobId, { handlers: finishing });
  const published = harness.recorded.events.slice(-2);
  expect(published).toMatchObject([
    { type: 'job.updated', job: { _id: parseJobId, state: 'succeeded' } },
    { type: 'file.changed', ids: [fileId] },
  ]);
});
