import { jobCancelledTopic } from '@riskboard/contract';
import { cancelJobs, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { crashPoint } from '../../testing/crash-points.ts';
import { bundle, threat } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { handlers } from '../handlers.ts';
import type { JobContext, JobHandlers } from './context.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

type Parse = (context: JobContext<'stix.parse'>) => Promise<never>;

/** A run of a job that works in this way until it is stopped. */
async function begin(work: Parse) {
  const { parseJobId } = await harness.store('a.json', bundle([threat()]));
  const started = crashPoint();
  const parsing: JobHandlers = {
    ...handlers,
    'stix.parse'(context) {
      void started.pass();
      return work(context);
    },
  };
  const run = harness.run(parseJobId, { handlers: parsing });
  await started.reached;
  return { parseJobId, run };
}

const untilAborted: Parse = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const cancel = (id: string) => harness.inside((trx) => cancelJobs(trx, { id }));

/** As the api does it after the commit of a cancellation. */
function publishCancellation(id: string): void {
  for (const listener of harness.recorded.listeners.values()) listener(jobCancelledTopic(id));
}

/** As the api queues a cancelled job again. */
const retry = (id: string, values: { waits_for?: string } = {}) =>
  harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ state: 'queued', tries: 0, finished_at: null, run_at: sql<Date>`now()`, ...values })
      .where('id', '=', id)
      .execute(),
  );

it('a job that is queued again before its cancelled run ends is delivered again when the run ends', async () => {
  const { parseJobId, run } = await begin(untilAborted);
  await cancel(parseJobId);
  await retry(parseJobId);
  publishCancellation(parseJobId);
  await expect(run).rejects.toMatchObject({ name: 'RetryLater', delayMs: 0 });
  await harness.run(parseJobId);
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 2, tries: 1 });
});

it('the same after an error in the cancelled run', async () => {
  const failed = crashPoint();
  const { parseJobId, run } = await begin(async () => {
    await failed.pass();
    throw new Error('Disk failure');
  });
  await cancel(parseJobId);
  await retry(parseJobId);
  failed.open();
  await expect(run).rejects.toMatchObject({ name: 'RetryLater', delayMs: 0 });
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'queued', tries: 0, error_code: null });
});

it.each([
  ['that stays cancelled', () => undefined],
  ['that waits for another job', (id: string) => retry(id, { waits_for: id })],
])('the message of a job %s is done with its run', async (_which, next) => {
  const { parseJobId, run } = await begin(untilAborted);
  await cancel(parseJobId);
  await next(parseJobId);
  publishCancellation(parseJobId);
  await expect(run).resolves.toBeUndefined();
});

it('a cancelled run that waits for the database is ended', async () => {
  const { parseJobId, run } = await begin(({ deps, organizationId }) =>
    withOrganization(deps.database, organizationId, async (trx) => {
      await sql`select pg_sleep(600)`.execute(trx);
      throw new Error('The statement was not ended.');
    }),
  );
  await cancel(parseJobId);
  publishCancellation(parseJobId);
  await run;
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'cancelled', attempt: 1 });
});
