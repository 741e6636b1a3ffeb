import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Job } from '@riskboard/contract/schemas';
import { cancelJobs, insertJob, presentJob, selectJobs } from './jobs.ts';
import { failWaiting, releaseWaiting } from './waiting-jobs.ts';
import { newId } from '../new-id.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';

let database: OpenDatabase;
let organizationId: string;
let fileId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  ({ fileId } = await makeFile(database, organizationId, { name: 'report.json' }));
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

const parse = () =>
  inside((trx) =>
    insertJob(trx, {
      kind: 'stix.parse',
      payload: { fileId, contentId: newId() },
      organizationId,
      fileId,
    }),
  );
const extractionAfter = (waitsFor: string) =>
  inside((trx) =>
    insertJob(trx, {
      kind: 'stix.extract',
      payload: { fileId, kinds: ['threats'] },
      organizationId,
      fileId,
      waitsFor,
    }),
  );
const stateOf = async (id: string) => {
  const job = await inside((trx) => selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow());
  return { state: job.state, version: job.version, waits_for: job.waits_for, phase: job.phase };
};
const ids = (rows: { id: string }[]) => rows.map((row) => row.id).toSorted();

it('a new job matches the contract', async () => {
  const id = await parse();
  const row = await inside((trx) => selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow());
  expect(Job.parse(presentJob(row))).toMatchObject({ _id: id, fileName: 'report.json', state: 'queued' });
});

describe('a job that waits for another', () => {
  it('can start once after the other has succeeded', async () => {
    const first = await parse();
    const waiting = await extractionAfter(first);
    const other = await extractionAfter(await parse());
    expect(ids(await inside((trx) => releaseWaiting(trx, first)))).toEqual([waiting]);
    expect(await inside((trx) => releaseWaiting(trx, first))).toEqual([]);
    expect(await stateOf(waiting)).toEqual({
      state: 'queued',
      version: 2,
      waits_for: null,
      phase: 'waiting',
    });
    expect((await stateOf(other)).waits_for).not.toBeNull();
  });

  it('fails with the other, with its reason', async () => {
    const first = await parse();
    const waiting = await extractionAfter(first);
    const error = { code: 'prerequisite_failed', message: 'Not started.' };
    const [failed] = await inside((trx) => failWaiting(trx, first, error));
    expect(failed && presentJob(failed)).toMatchObject({ _id: waiting, state: 'failed', error, version: 2 });
    expect(failed?.finished_at).not.toBeNull();
  });
});

describe('cancelling', () => {
  it('affects one job, all jobs of some files, or all that wait for a job', async () => {
    const first = await parse();
    const waiting = await extractionAfter(first);
    expect(ids(await inside((trx) => cancelJobs(trx, { waitsFor: first })))).toEqual([waiting]);
    expect(ids(await inside((trx) => cancelJobs(trx, { id: first })))).toEqual([first]);
    const more = [await parse(), await parse()].toSorted();
    expect(ids(await inside((trx) => cancelJobs(trx, { fileIds: [fileId] })))).toEqual(more);
    expect(await inside((trx) => cancelJobs(trx, { fileIds: [newId()] }))).toEqual([]);
  });

  it('does not change ended jobs', async () => {
    const id = await parse();
    await inside((trx) => trx.updateTable('job').set({ state: 'succeeded' }).where('id', '=', id).execute());
    expect(await inside((trx) => cancelJobs(trx, { id }))).toEqual([]);
    expect((await stateOf(id)).state).toBe('succeeded');
  });

  it('does not affect jobs of another organization', async () => {
    const id = await parse();
    const mine = organizationId;
    organizationId = await makeOrganization(database);
    expect(await inside((trx) => cancelJobs(trx, { id }))).toEqual([]);
    organizationId = mine;
    expect((await stateOf(id)).state).toBe('queued');
  });
});
