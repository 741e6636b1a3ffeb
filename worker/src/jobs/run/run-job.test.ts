import { extractKinds, type JobKind, type OrganizationEvent } from '@riskboard/contract';
import { jobKindSchemas } from '@riskboard/contract/schemas';
import { cancelJobs, interruptRuns, lockParse, newId, startJob, withOrganization } from '@riskboard/db';
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
import { payloadPatterns } from './payload-patterns.ts';

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

/** The real handlers with this one for parsing. */
const parsing = (parse: (context: JobContext<'stix.parse'>) => Promise<never>): JobHandlers => ({
  ...handlers,
  'stix.parse': parse,
});

/** Runs until it is aborted. */
const untilAborted = ({ signal }: { signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const failing = parsing(() => Promise.reject(new Error('Disk failure')));

describe('a queue message', () => {
  it('of a job that has ended changes and publishes nothing', async () => {
    const { fileId, parseJobId } = await harness.read('a.json', report());
    const extraction = await harness.extract(fileId);
    const before = await snapshot(harness);
    const published = harness.recorded.events.length;
    for (const id of [parseJobId, extraction.id, parseJobId]) await harness.run(id);
    expect(await snapshot(harness)).toEqual(before);
    expect(harness.recorded.events).toHaveLength(published);
  });

  it.each(['parse', 'extraction'])('delivered five times at once runs a %s once', async (which) => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
    if (which === 'extraction') await harness.run(parseJobId);
    const id = which === 'parse' ? parseJobId : extractJobId;
    const deliveries = await Promise.allSettled([1, 2, 3, 4, 5].map(() => harness.run(id)));
    for (const run of deliveries)
      if (run.status === 'rejected') expect(run.reason).toBeInstanceOf(RetryLater);
    expect(deliveries.filter(({ status }) => status === 'fulfilled')).not.toEqual([]);
    expect(await harness.job(id)).toMatchObject({ state: 'succeeded', attempt: 1, tries: 1 });
    const ends = harness.recorded.events.filter(
      (event) => event.type === 'job.updated' && event.job._id === id && event.job.state === 'succeeded',
    );
    expect(ends).toHaveLength(1);
  });

  it.each([
    ['that was not tried', 0, '5 seconds', 5000],
    ['that was tried', 1, '5 seconds', 5000],
    ['that is due in an hour', 0, '1 hour', 60_000],
    ['of a batch that is no longer paused', 0, 'infinity', 60_000],
  ])('of a job %s starts no run before it is due', async (_which, tries, delay, longestMs) => {
    const { parseJobId } = await harness.store('a.json', report());
    await harness.inside((trx) =>
      trx
        .updateTable('job')
        .set({
          tries,
          attempt: tries,
          run_at: delay === 'infinity' ? sql`'infinity'` : sql`now() + ${delay}::interval`,
        })
        .where('id', '=', parseJobId)
        .execute(),
    );
    const message = { id: parseJobId, kind: 'stix.parse', organizationId: harness.organizationId } as const;
    const claimed = await claim(harness.database, message);
    const { retryMs } = claimed as { retryMs: number };
    expect(retryMs).toBeGreaterThan(longestMs - 1000);
    expect(retryMs).toBeLessThanOrEqual(longestMs);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', attempt: tries });
  });

  it('of a job that was requested before the clock was set back starts its run at once', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const message = { id: parseJobId, kind: 'stix.parse', organizationId: harness.organizationId } as const;
    // What is written now, as seen an hour ago.
    await harness.inside((trx) =>
      sql`update job set created_at = created_at + interval '1 hour', run_at = run_at + interval '1 hour',
        rung_at = rung_at + interval '1 hour'`.execute(trx),
    );
    expect(await claim(harness.database, message)).toMatchObject({
      job: { id: parseJobId, state: 'running' },
    });
  });

  it('of another organization starts no run', async () => {
    const other = await harnesses.open();
    const { parseJobId } = await harness.store('a.json', report());
    const message = { id: parseJobId, kind: 'stix.parse', organizationId: other.organizationId } as const;
    expect(await claim(harness.database, message)).toBeUndefined();
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', attempt: 0 });
  });
});

describe('a run that was taken over', () => {
  it.each([
    ['parse', 'its start', stopAtStart],
    ['parse', 'its commit', stopBeforeCommit],
    ['extraction', 'its start', stopAtStart],
    ['extraction', 'its commit', stopBeforeCommit],
  ])('leaves nothing behind: a %s that was frozen before %s', async (which, _where, stopAt) => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), [
      'vulnerabilities',
      'threats',
    ]);
    if (which === 'extraction') await harness.run(parseJobId);
    const id = which === 'parse' ? parseJobId : extractJobId;
    const frozen = crashPoint();
    const old = harness.run(id, { handlers: stopAt(frozen) });
    await frozen.reached;
    // Before its commit the old run holds the lock of the file: the takeover ends its session.
    await takeOver(harness, id, () => harness.run(id));
    const before = await snapshot(harness);
    const published = harness.recorded.events.length;
    frozen.open();
    await old;
    expect(await snapshot(harness)).toEqual(before);
    expect(harness.recorded.events).toHaveLength(published);
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

  it('does not happen while the run is alive: the message is delivered again later', async () => {
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

describe('a failed job', () => {
  it('is not retried when the report is invalid, and fails the jobs that wait for it', async () => {
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

  it('is tried three times with doubling delays after an internal error, then fails', async () => {
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
    'is retried without counting as a try after a conflict with another transaction (%s)',
    async (code) => {
      const { parseJobId } = await harness.store('a.json', report());
      const blocked = parsing(() => Promise.reject(Object.assign(new Error('conflict'), { code })));
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

  it('is retried later without counting as a try while the disk of the database is full, and says so', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const full = parsing(() => Promise.reject(Object.assign(new Error('No space left'), { code: '53100' })));
    await expect(harness.run(parseJobId, { handlers: full })).rejects.toMatchObject({ delayMs: 30_000 });
    expect(await harness.job(parseJobId)).toMatchObject({
      state: 'queued',
      tries: 0,
      error_message: 'Disk full: waiting for free space.',
    });
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', error_code: null });
  });

  it('does not start while too little space is left for the embedded database', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    // No space is ever free in this file system.
    harness.deps.databaseFolder = '/proc';
    await expect(harness.run(parseJobId)).rejects.toMatchObject({ delayMs: 30_000 });
    harness.deps.databaseFolder = undefined;
    expect(await harness.job(parseJobId)).toMatchObject({
      state: 'queued',
      tries: 0,
      error_message: 'Disk full: waiting for free space.',
    });
  });

  it('counts lock time-outs as tries after 20 uncounted runs, and then fails', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const locked = parsing(() => Promise.reject(Object.assign(new Error('lock timeout'), { code: '55P03' })));
    await harness.inside((trx) =>
      trx.updateTable('job').set({ attempt: 19 }).where('id', '=', parseJobId).execute(),
    );
    for (const [attempt, tries, delayMs] of [
      [20, 0, 2000],
      [21, 1, 1000],
      [22, 2, 2000],
    ]) {
      await expect(harness.run(parseJobId, { handlers: locked })).rejects.toMatchObject({ delayMs });
      expect(await harness.job(parseJobId)).toMatchObject({
        state: 'queued',
        attempt,
        tries,
        error_message: 'Waiting for other work on the same data.',
      });
    }
    await harness.run(parseJobId, { handlers: locked });
    expect(await harness.job(parseJobId)).toMatchObject({
      state: 'failed',
      tries: 3,
      error_code: 'internal',
      error_message: 'Other work locked the same data for too long. Try again later.',
    });
  });

  it('no longer has an error once a later try succeeds', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    await expect(harness.run(parseJobId, { handlers: failing })).rejects.toThrow(RetryLater);
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 2, error_code: null });
  });

  it('fails with the jobs that wait for it when three runs crashed', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const message = { id: parseJobId, kind: 'stix.parse', organizationId: harness.organizationId } as const;
    for (const attempt of [1, 2, 3]) {
      expect(await claim(harness.database, message)).toMatchObject({ job: { attempt } });
      await silence(harness, parseJobId);
    }
    await harness.run(parseJobId);
    const gaveUp = { state: 'failed', error_code: 'gave_up', attempt: 3 };
    expect(await harness.job(parseJobId)).toMatchObject(gaveUp);
    expect(await harness.job(extractJobId)).toMatchObject({
      state: 'failed',
      error_code: 'prerequisite_failed',
    });
    const published = harness.recorded.events.flatMap((event) =>
      event.type === 'job.updated' ? event.job._id : [],
    );
    expect(published).toEqual([parseJobId, extractJobId]);
  });

  it('is not queued again when the worker closes while the report is found invalid', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const closing = AbortSignal.abort(new Error('Closing'));
    const refusing = parsing(() => Promise.reject(new JobFailure('not-stix', 'No report.')));
    await harness.run(parseJobId, { handlers: refusing, shutdown: closing });
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed', error_code: 'not-stix' });
  });
});

it('an interrupted run writes nothing, and the job runs again without counting the try', async () => {
  const { fileId, parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
  const point = crashPoint();
  const running = harness.run(parseJobId, { handlers: stopBeforeCommit(point) });
  await point.reached;
  await harness.inside((trx) => interruptRuns(trx, [fileId]));
  point.open();
  await running;
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', attempt: 1, tries: 0 });
  expect(await rowCounts(harness)).toMatchObject({ report_record: 0 });
  await harness.run(parseJobId);
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 2, tries: 1 });
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', waits_for: null });
});

describe('a job that waits for another', () => {
  it('starts when its report has been read', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
    await harness.run(extractJobId);
    expect(await harness.job(extractJobId)).toMatchObject({
      state: 'queued',
      attempt: 0,
      waits_for: parseJobId,
    });
    await harness.run(parseJobId);
    expect(harness.recorded.messages).toEqual([
      { id: extractJobId, kind: 'stix.extract', organizationId: harness.organizationId, order: 1 },
    ]);
    await harness.run(extractJobId);
    expect(await harness.job(extractJobId)).toMatchObject({ state: 'succeeded', waits_for: null });
  });

  describe('that is younger', () => {
    /** An extraction of an earlier upload that was queued again while the newer one waits to be read. */
    async function queuedAgain() {
      const { extractJobId: id = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
      const { parseJobId } = await harness.store('a.json', bundle([threat()]));
      await harness.inside((trx) =>
        trx
          .updateTable('job')
          .set({ state: 'queued', finished_at: null, waits_for: parseJobId })
          .where('id', '=', id)
          .execute(),
      );
      return { id, parseJobId };
    }

    it('starts when its report has been read', async () => {
      const { id, parseJobId } = await queuedAgain();
      await harness.run(parseJobId);
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 1 });
      expect(await harness.job(id)).toMatchObject({ state: 'queued', waits_for: null });
      await harness.run(id);
      expect(await harness.job(id)).toMatchObject({ state: 'succeeded' });
    });

    it('fails when its report cannot be read', async () => {
      const { id, parseJobId } = await queuedAgain();
      const refusing = parsing(() => Promise.reject(new JobFailure('not-stix', 'No report.')));
      await harness.run(parseJobId, { handlers: refusing });
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed', error_code: 'not-stix' });
      expect(await harness.job(id)).toMatchObject({ state: 'failed', error_code: 'prerequisite_failed' });
    });

    it('fails when every run that read its report crashed', async () => {
      const { id, parseJobId } = await queuedAgain();
      await harness.inside((trx) =>
        trx
          .updateTable('job')
          .set({ state: 'running', attempt: 3, tries: 3, heartbeat_at: new Date(0) })
          .where('id', '=', parseJobId)
          .execute(),
      );
      await harness.run(parseJobId);
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed', error_code: 'gave_up' });
      expect(await harness.job(id)).toMatchObject({ state: 'failed', error_code: 'prerequisite_failed' });
    });

    it('starts when it is queued again while its report is being read', async () => {
      const { extractJobId: id = '' } = await harness.store('a.json', report(), ['vulnerabilities']);
      const { fileId, parseJobId } = await harness.store('a.json', bundle([threat()]));
      const point = crashPoint();
      const running = harness.run(parseJobId, { handlers: stopBeforeCommit(point) });
      await point.reached;
      await harness.inside(async (trx) => {
        await lockParse(trx, fileId, id);
        // The parse now waits for the extraction, which this transaction holds.
        point.open();
        await lockWaits(harness.database);
        await trx
          .updateTable('job')
          .set({ state: 'queued', finished_at: null, waits_for: parseJobId })
          .where('id', '=', id)
          .execute();
      });
      await running;
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 1 });
      expect(await harness.job(id)).toMatchObject({ state: 'queued', waits_for: null });
    });
  });

  it('is cancelled together with the job that it waits for', async () => {
    const { fileId, parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const cancelled = await harness.inside((trx) => cancelJobs(trx, { fileIds: [fileId] }));
    expect(cancelled.map(({ id }) => id).toSorted()).toEqual([parseJobId, extractJobId].toSorted());
    for (const id of [parseJobId, extractJobId]) {
      await harness.run(id);
      expect(await harness.job(id)).toMatchObject({ state: 'cancelled', attempt: 0 });
    }
  });

  it('is enqueued even if events cannot be published', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    const down = () => Promise.reject(new Error('down'));
    Object.assign(harness.deps.relay, { publish: down, subscribe: down });
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded' });
    expect(harness.recorded.messages.map(({ id }) => id)).toEqual([extractJobId]);
  });

  it('stays queued for the sweep when the queue is unreachable', async () => {
    const { parseJobId, extractJobId = '' } = await harness.store('a.json', report(), ['threats']);
    Object.assign(harness.deps.producer, { enqueue: () => Promise.reject(new Error('down')) });
    await harness.run(parseJobId);
    expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', waits_for: null });
  });
});

describe('a first run', () => {
  const startOf = (id: string, payloadPattern = payloadPatterns['stix.parse'] ?? '') =>
    startJob(harness.database, {
      organizationId: harness.organizationId,
      id,
      kind: 'stix.parse',
      payloadPattern,
    });

  it('starts by one call, which returns the job with the name of its file', async () => {
    const { fileId, parseJobId } = await harness.store('a.json', report());
    const started = await startOf(parseJobId);
    expect(started).toMatchObject({ file_id: fileId, file_name: 'a.json', state: 'running', version: 2 });
    expect(started).toEqual(await harness.job(parseJobId));
    expect(await startOf(parseJobId)).toBeUndefined();
    const { rows } = await sql<{ organization: string }>`
      select current_setting('app.organization_id', true) as organization`.execute(harness.database.app);
    expect(rows[0]?.organization ?? '').toBe('');
  });

  it.each([
    ['was tried before', { tries: 1, attempt: 1 }],
    ['has ended', { state: 'cancelled' as const }],
    ['waits for another job', { waits_for: '0198c5f0-0000-7000-8000-000000000001' }],
    ['has a payload that this worker does not know', { payload: '{"fileId":"a"}' }],
    ['has another kind', { kind: 'stix.translate' }],
  ])('does not start by the call when the job %s', async (_when, values) => {
    const { parseJobId } = await harness.store('a.json', report());
    await harness.inside((trx) => trx.updateTable('job').set(values).where('id', '=', parseJobId).execute());
    const before = await harness.job(parseJobId);
    expect(await startOf(parseJobId)).toBeUndefined();
    expect(await harness.job(parseJobId)).toEqual(before);
  });

  it('does not wait for a job that another transaction has locked', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    await harness.inside(async (trx) => {
      await trx.selectFrom('job').select('id').where('id', '=', parseJobId).forUpdate().execute();
      expect(await startOf(parseJobId)).toBeUndefined();
    });
  });

  it.each(Object.entries(payloadPatterns))(
    'of %s starts by the call for payloads of the contract only',
    (kind, pattern) => {
      const { payload } = jobKindSchemas[kind as JobKind];
      const id = newId();
      const ids = { fileId: id, contentId: id, importId: id, deliveryId: id };
      const jsonb = (value: Record<string, unknown>) =>
        `{${Object.entries(value)
          .toSorted(([a], [b]) => a.length - b.length)
          .map(([key, one]) => `"${key}": ${JSON.stringify(one).replaceAll(',', ', ')}`)
          .join(', ')}}`;
      const kinds = kind === 'stix.extract' ? [['threats'], [...extractKinds]] : [undefined];
      for (const each of kinds) {
        const valid = payload.parse({ ...ids, kinds: each }) as Record<string, unknown>;
        expect(jsonb(valid)).toMatch(new RegExp(pattern, 'u'));
        expect(jsonb({ ...valid, unknownField: 1 })).not.toMatch(new RegExp(pattern, 'u'));
        for (const key of Object.keys(valid))
          for (const wrong of ['x', 1, null, [], ['campaigns']])
            expect(jsonb({ ...valid, [key]: wrong })).not.toMatch(new RegExp(pattern, 'u'));
      }
    },
  );

  it('whose start PostgreSQL lost in a crash cannot write once another run has its attempt number', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const frozen = crashPoint();
    const old = harness.run(parseJobId, { handlers: stopBeforeCommit(frozen) });
    await frozen.reached;
    // The state after the crash: the job as it was, started again by another worker.
    await harness.inside((trx) =>
      trx.updateTable('job').set({ run_id: newId(), phase: 'theirs' }).where('id', '=', parseJobId).execute(),
    );
    const before = await harness.job(parseJobId);
    frozen.open();
    await old;
    expect(await harness.job(parseJobId)).toEqual(before);
    expect(await rowCounts(harness)).toMatchObject({ report_record: 0 });
  });
});

describe('a job of a newer version', () => {
  it.each([
    ['payload', { payload: '{"fileId":"3f1c","kinds":["campaigns"]}' }],
    ['kind', { kind: 'stix.translate' }],
  ])('with an unknown %s stays queued for a newer worker', async (_what, newer) => {
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
    const message = { id, kind: 'stix.extract', organizationId: harness.organizationId } as const;
    expect(await claim(harness.database, message)).toEqual({ retryMs: 5000 });
    expect(await harness.job(id)).toEqual(before);
  });
});

describe('a worker that closes', () => {
  it('queues its job and its message again without counting a try', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    const closing = new AbortController();
    const started = crashPoint();
    const run = harness.run(parseJobId, {
      shutdown: closing.signal,
      handlers: parsing((context) => {
        void started.pass();
        return untilAborted(context);
      }),
    });
    await started.reached;
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

  it('stores nothing of a report that it was reading', async () => {
    const { parseJobId } = await harness.store('a.json', report());
    await expect(
      harness.run(parseJobId, { shutdown: AbortSignal.abort(new Error('Closing')) }),
    ).rejects.toThrow('Closing');
    expect(await rowCounts(harness)).toMatchObject({ report_record: 0, report_object: 0 });
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', tries: 0 });
  });
});

describe('published events', () => {
  it('follow the commit, with increasing versions, and end with the last state', async () => {
    const { parseJobId, fileId } = await harness.store('a.json', report(), ['vulnerabilities', 'threats']);
    const versions: number[] = [];
    const { publish } = harness.deps.relay;
    harness.deps.relay.publish = async (topic, message) => {
      await publish(topic, message);
      expect(topic).toMatch(`org.${harness.organizationId}.`);
      const event = message as OrganizationEvent;
      // The order of the calls: the relay keeps it.
      if (event.type === 'job.updated' && event.job._id === parseJobId) versions.push(event.job.version);
      const row = await withOrganization(harness.database, harness.organizationId, (trx) =>
        sql<{ version: number; object_count: number | null }>`
          select j.version, f.object_count from job j join report_file f on f.id = j.file_id where j.id = ${parseJobId}`.execute(
          trx,
        ),
      );
      if (event.type === 'file.changed') expect(row.rows[0]?.object_count).toBe(2);
      if (event.type !== 'job.updated' || event.job._id !== parseJobId) return;
      expect(row.rows[0]?.version).toBeGreaterThanOrEqual(event.job.version);
    };
    await harness.run(parseJobId);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    const last = await harness.job(parseJobId);
    expect(versions.at(-1)).toBe(last.version);
    const types = harness.recorded.events.map((event) => event.type);
    expect(types.at(-1)).toBe('file.changed');
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
      app: new Proxy(app, {
        get(target, name) {
          if (committed) throw new Error('Connection terminated');
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
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
