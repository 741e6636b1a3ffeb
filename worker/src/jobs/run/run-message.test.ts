import { cancelJobs } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundle, threat } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { handlers } from '../handlers.ts';
import type { JobHandlers } from './context.ts';
import { runMessage } from './run-message.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

/** Delivers the message of a report's first job. @returns the ids of the jobs that ran to an end, in order */
async function deliver(
  jobId: string,
  how: { handlers?: JobHandlers; shutdown?: AbortSignal } = {},
): Promise<string[]> {
  const ran: string[] = [];
  await runMessage(harness.deps, {
    handlers: how.handlers ?? handlers,
    message: { id: jobId, kind: 'stix.parse', organizationId: harness.organizationId },
    shutdown: how.shutdown ?? new AbortController().signal,
    afterJob: async ({ id }) => void ran.push(id),
  });
  return ran;
}

const store = () => harness.store('a.json', bundle([threat()]), ['threats']);
const extracting = (extract: JobHandlers['stix.extract']): JobHandlers => ({
  ...handlers,
  'stix.extract': extract,
});

it('the extraction of a small report runs right after its reading, without a message', async () => {
  const { parseJobId, extractJobId = '' } = await store();
  expect(await deliver(parseJobId)).toEqual([parseJobId, extractJobId]);
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'succeeded', attempt: 1, tries: 1 });
  expect(harness.recorded.messages).toEqual([]);
});

it('the extraction gets a message when the reading took long', async () => {
  const { parseJobId, extractJobId = '' } = await store();
  const slow: JobHandlers = {
    ...handlers,
    async 'stix.parse'(context) {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      return handlers['stix.parse'](context);
    },
  };
  expect(await deliver(parseJobId, { handlers: slow })).toEqual([parseJobId]);
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', attempt: 0 });
  expect(harness.recorded.messages.map(({ id }) => id)).toEqual([extractJobId]);
});

it('an extraction that is to be tried again gets a message with the delay, and the reading is not repeated', async () => {
  const { parseJobId, extractJobId = '' } = await store();
  const failing = extracting(() => Promise.reject(new Error('Disk failure')));
  expect(await deliver(parseJobId, { handlers: failing })).toEqual([parseJobId]);
  expect(harness.recorded.messages).toMatchObject([
    { id: extractJobId, kind: 'stix.extract', delayMs: 1000 },
  ]);
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', tries: 1 });
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', attempt: 1 });
});

it('an extraction that the closing worker interrupts is queued again with a message', async () => {
  const { parseJobId, extractJobId = '' } = await store();
  const closing = new AbortController();
  const interrupted = extracting(async ({ signal }) => {
    closing.abort(new Error('Closing'));
    signal.throwIfAborted();
    return [];
  });
  await expect(deliver(parseJobId, { handlers: interrupted, shutdown: closing.signal })).rejects.toThrow(
    'Closing',
  );
  expect(harness.recorded.messages).toMatchObject([{ id: extractJobId, delayMs: 0 }]);
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'queued', tries: 0 });
});

it('an extraction that was cancelled during the reading does not run', async () => {
  const { parseJobId, extractJobId = '' } = await store();
  await harness.inside((trx) => cancelJobs(trx, { id: extractJobId }));
  expect(await deliver(parseJobId)).toEqual([parseJobId]);
  expect(await harness.job(extractJobId)).toMatchObject({ state: 'cancelled', attempt: 0 });
});

it('a job that cannot start is delivered again, and nothing follows it', async () => {
  const { parseJobId } = await store();
  const failing: JobHandlers = { ...handlers, 'stix.parse': () => Promise.reject(new Error('Disk failure')) };
  await expect(deliver(parseJobId, { handlers: failing })).rejects.toThrow(RetryLater);
  expect(harness.recorded.messages).toEqual([]);
});
