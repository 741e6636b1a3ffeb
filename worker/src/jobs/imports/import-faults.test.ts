import { cancelJobs, newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPoint, stopBeforeCommit, takeOver } from '../../testing/crash-points.ts';
import { findImport, reportOf, requestRun, uploadCsv } from '../../testing/import-csv.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let importId: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  importId = await uploadCsv(harness, {
    noun: 'vulnerabilities',
    csv: 'Name,Description,Severity\nOld library,Update it,7.5\nWeak cipher,Disable it,5',
  });
});

const names = async () =>
  (
    await harness.inside((trx) => trx.selectFrom('vulnerability').select('name').orderBy('name').execute())
  ).map(({ name }) => name);

describe('an import', () => {
  it('whose worker stops before its commit leaves nothing, and runs again once', async () => {
    const jobId = await requestRun(harness, importId, 'csv.import');
    const point = crashPoint();
    const frozen = harness.run(jobId, { handlers: stopBeforeCommit(point) });
    await point.reached;
    expect(await names()).toEqual([]);
    // The frozen run holds its locks until it is superseded; the next one waits for them, as for a worker that hangs.
    const next = takeOver(harness, jobId, () => harness.run(jobId));
    point.open();
    await Promise.all([frozen, next]);
    expect(await names()).toEqual(['Old library', 'Weak cipher']);
    expect(await harness.job(jobId)).toMatchObject({ state: 'succeeded', result: { created: 2 } });
    expect(await reportOf(harness, importId)).toHaveLength(2);
  });

  it('that is cancelled before its commit writes nothing', async () => {
    const jobId = await requestRun(harness, importId, 'csv.import');
    const point = crashPoint();
    const run = harness.run(jobId, { handlers: stopBeforeCommit(point) });
    await point.reached;
    await harness.inside((trx) => cancelJobs(trx, { id: jobId }));
    point.open();
    await run;
    expect(await names()).toEqual([]);
    expect(await reportOf(harness, importId)).toEqual([]);
    expect(await findImport(harness, importId)).toMatchObject({ state: 'uploaded', counts: null });
  });

  it('delivered again after its end changes nothing', async () => {
    const jobId = await requestRun(harness, importId, 'csv.import');
    await harness.run(jobId);
    await harness.run(jobId);
    expect(await names()).toEqual(['Old library', 'Weak cipher']);
  });

  it('that another run has replaced, or whose project was deleted, fails with the reason', async () => {
    const old = await requestRun(harness, importId, 'csv.import');
    await requestRun(harness, importId, 'csv.check');
    await harness.run(old);
    expect(await harness.job(old)).toMatchObject({ state: 'failed', error_code: 'replaced' });
    const orphan = await uploadCsv(harness, {
      csv: 'Name,Description,Type\nDoor,x,Hardware',
      projectId: newId(),
    });
    const jobId = await requestRun(harness, orphan, 'csv.import');
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ state: 'failed', error_code: 'no_project' });
  });
});
