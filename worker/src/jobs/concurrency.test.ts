import {
  cancelJobs,
  cancelWithWaiting,
  deleteFiles,
  insertJob,
  lockParse,
  reviveWaiting,
} from '@riskboard/db';
import { deleteRecords } from '@riskboard/db/testing/delete-records';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPoint, lockWaits, stopBeforeCommit } from '../testing/crash-points.ts';
import { orphans } from '../testing/snapshot.ts';
import { bundle, threat, vulnerability } from '../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import type { StoredReport } from '../testing/store-report.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const content = () => bundle([vulnerability({ cves: ['CVE-2021-44228'] }), threat()]);
const changed = () => bundle([vulnerability({ cves: ['CVE-2014-0160'] })]);

/** What a request of a user does to a report, in its transaction. */
type Request = (report: StoredReport) => Promise<unknown>;

/** As the api queues an extraction: it waits for a parse that has not ended. */
const requestExtraction: Request = ({ fileId }) =>
  harness.inside(async (trx) => {
    const locked = await lockParse(trx, fileId);
    if (!locked) return;
    const { parse } = locked;
    const reading = parse?.state === 'queued' || parse?.state === 'running';
    await insertJob(trx, {
      kind: 'stix.extract',
      payload: { fileId, kinds: ['vulnerabilities', 'threats'] },
      organizationId: harness.organizationId,
      fileId,
      ...(reading ? { waitsFor: parse.id } : {}),
    });
  });

const requests: Record<string, Request> = {
  'a request for an extraction': requestExtraction,
  'a cancellation of the job': ({ parseJobId }) =>
    harness.inside((trx) => cancelWithWaiting(trx, parseJobId)),
  'a cancellation of every job': () => harness.inside((trx) => cancelJobs(trx, { all: true })),
  'a retry': ({ parseJobId }) => harness.inside((trx) => reviveWaiting(trx, parseJobId)),
  'a deletion of the report': ({ fileId }) => harness.inside((trx) => deleteFiles(trx, { ids: [fileId] })),
  'a replacement by other content': () => harness.store('a.json', changed()),
  'a replacement by the same content': () => harness.store('a.json', sameContent),
  'a deletion of every record': () =>
    harness.inside((trx) =>
      deleteRecords(trx, { table: 'vulnerability', where: sql<boolean>`true`, by: null }),
    ),
};

let sameContent: string;
beforeEach(() => {
  sameContent = content();
});

/** What a worker does to the report at the same time, and the job that does it. */
const runs: Record<string, () => Promise<{ report: StoredReport; jobId: string }>> = {
  'a first parse': async () => {
    const report = await harness.store('a.json', sameContent, ['vulnerabilities', 'threats']);
    return { report, jobId: report.parseJobId };
  },
  'a parse of a report that was extracted before': async () => {
    const { fileId } = await harness.read('a.json', sameContent);
    await harness.extract(fileId);
    const report = await harness.store('a.json', sameContent);
    return { report, jobId: report.parseJobId };
  },
  'an extraction': async () => {
    const report = await harness.store('a.json', sameContent, ['vulnerabilities', 'threats']);
    await harness.run(report.parseJobId);
    return { report, jobId: report.extractJobId ?? '' };
  },
};

const pairs = Object.keys(runs).flatMap((run) =>
  Object.keys(requests).map((request) => [run, request] as const),
);

describe.each(pairs)('%s and %s at the same time', (run, request) => {
  const start = async () => {
    const { report, jobId } = await (runs[run]?.() ?? Promise.reject(new Error(run)));
    return { jobId, send: () => requests[request]?.(report) ?? Promise.reject(new Error(request)) };
  };

  it('both end when the run has written everything before the request comes', async () => {
    const { jobId, send } = await start();
    const point = crashPoint();
    const running = harness.run(jobId, { handlers: stopBeforeCommit(point) });
    await point.reached;
    const sent = send();
    // Either it is answered at once, or it waits for the run.
    await Promise.race([sent, lockWaits(harness.database)]);
    point.open();
    await Promise.all([running, sent]);
    expect(await orphans(harness)).toEqual([]);
  });

  it('both end when they start together', async () => {
    const { jobId, send } = await start();
    await Promise.all([harness.run(jobId), send()]);
    expect(await orphans(harness)).toEqual([]);
  });
});

it('a parse that ends while an extraction of its report is being requested lets the extraction start', async () => {
  const { fileId, parseJobId } = await harness.store('a.json', content());
  const point = crashPoint();
  const running = harness.run(parseJobId, { handlers: stopBeforeCommit(point) });
  await point.reached;
  const id = await harness.inside(async (trx) => {
    const locked = await lockParse(trx, fileId);
    // The parse holds the file and now waits for its job, which this transaction holds.
    point.open();
    await lockWaits(harness.database);
    return insertJob(trx, {
      kind: 'stix.extract',
      payload: { fileId, kinds: ['vulnerabilities'] },
      organizationId: harness.organizationId,
      fileId,
      ...(locked?.parse ? { waitsFor: locked.parse.id } : {}),
    });
  });
  await running;
  expect(await harness.job(id)).toMatchObject({ state: 'queued', waits_for: null });
  await harness.run(id);
  expect(await harness.job(id)).toMatchObject({ state: 'succeeded' });
});
