import { withOrganization } from '@riskboard/db';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silence } from '../../testing/crash-points.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { handlers } from '../handlers.ts';
import { JobFailure } from './failures.ts';
import { claim } from './job-row.ts';
import { runJob } from './run-job.ts';

const marker = 'content of a report that may not be in a log';
const requestId = '019a0000-0000-7000-8000-0000000000aa';
let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

/** Runs the parse of a report, after `crashes` runs that ended with their worker. @returns the log, by line, and what was counted */
async function run(parse = handlers['stix.parse'], crashes = 0) {
  const { fileId, parseJobId } = await harness.store('a.json', bundle([vulnerability({ name: marker })]));
  await withOrganization(harness.database, harness.organizationId, (trx) =>
    trx.updateTable('job').set({ request_id: requestId }).where('id', '=', parseJobId).execute(),
  );
  const message = { id: parseJobId, kind: 'stix.parse', organizationId: harness.organizationId } as const;
  for (let crash = 0; crash < crashes; crash += 1) {
    await claim(harness.database, message);
    await silence(harness, parseJobId);
  }
  const lines: string[] = [];
  const counted: object[] = [];
  const deps = {
    ...harness.deps,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    onRunEnd: (end: object) => void counted.push(end),
  };
  await runJob(deps, {
    handlers: { ...handlers, 'stix.parse': parse },
    message,
    shutdown: new AbortController().signal,
  });
  const fields = {
    jobId: parseJobId,
    fileId,
    organizationId: harness.organizationId,
    requestId,
    attempt: Math.max(crashes, 1),
  };
  return { lines, counted, fields };
}

describe('a run of a job', () => {
  it('is one log line with job, file, organization, request, attempt, duration and counts', async () => {
    const { lines, counted, fields } = await run();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...fields,
      msg: 'job succeeded',
      kind: 'stix.parse',
      seconds: expect.any(Number),
      counts: expect.objectContaining({}),
    });
    expect(lines.join('')).not.toContain(marker);
    expect(counted).toEqual([{ kind: 'stix.parse', outcome: 'succeeded', seconds: expect.any(Number) }]);
  });

  it('that failed is one line with the code of its error, whose message may quote the report', async () => {
    const { lines, counted, fields } = await run(() => Promise.reject(new JobFailure('not_stix', marker)));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ...fields, msg: 'job failed', code: 'not_stix' });
    expect(lines.join('')).not.toContain(marker);
    expect(counted).toMatchObject([{ outcome: 'failed' }]);
  });

  it('that is not started, because the job ended three workers, is one line and counts as failed', async () => {
    const { lines, counted, fields } = await run(handlers['stix.parse'], 3);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ...fields, msg: 'job failed', code: 'gave_up' });
    expect(counted).toMatchObject([{ kind: 'stix.parse', outcome: 'failed' }]);
  });
});
