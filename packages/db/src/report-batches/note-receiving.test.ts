import type { Batch } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newId } from '../new-id.ts';
import { storeChunk } from '../reports/content.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { noteReceiving } from './note-receiving.ts';
import { findBatch, presentBatch } from './select-batches.ts';

let database: OpenDatabase;
let organizationId: string;
let batchId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  batchId = newId();
  await inside((trx) =>
    sql`insert into batch (organization_id, id, name, planned_files, created_at)
      values (current_organization(), ${batchId}, 'May', 3, now() - interval '1 hour')`.execute(trx),
  );
});
afterAll(() => database.end());

const inside = <T>(work: Parameters<typeof withOrganization<T>>[2]): Promise<T> =>
  withOrganization(database, organizationId, work);
const everyMs = 15_000;
const note = () => inside((trx) => noteReceiving(trx, { batchId, everyMs }));
const later = (seconds: number) =>
  inside((trx) =>
    sql`update batch set receiving_at = receiving_at - make_interval(secs => ${seconds}),
      closed_at = closed_at - make_interval(secs => ${seconds}) where id = ${batchId}`.execute(trx),
  );
const close = () =>
  inside((trx) => sql`update batch set closed_at = now() where id = ${batchId}`.execute(trx));
const shown = (): Promise<Batch | undefined> =>
  inside(async (trx) => {
    const row = await findBatch(trx, batchId);
    return row && presentBatch(row);
  });

describe('a batch that is noted to be receiving a file', () => {
  it('is being uploaded for two minutes after the last note', async () => {
    expect(await shown()).toMatchObject({ status: 'receiving', uploading: false, lastReceivedAt: null });
    expect(await note()).toBe(true);
    const first = await shown();
    expect(first).toMatchObject({ status: 'receiving', uploading: true });
    expect(first?.lastReceivedAt).not.toBeNull();
    await later(110);
    expect(await shown()).toMatchObject({ uploading: true });
    await later(20);
    expect(await shown()).toMatchObject({ status: 'receiving', uploading: false });
    expect(await note()).toBe(true);
    expect(await shown()).toMatchObject({ uploading: true });
  });

  it('shows the later of the note and of the newest file', async () => {
    await note();
    await later(60);
    const noted = (await shown())?.lastReceivedAt;
    const addFile = (minutes: number) =>
      inside((trx) =>
        sql`insert into batch_file (organization_id, id, batch_id, name, size, state, received_at)
          values (current_organization(), ${newId()}, ${batchId}, ${newId()}, 1, 'queued',
            now() - make_interval(mins => ${minutes}))`.execute(trx),
      );
    await addFile(10);
    expect(await shown()).toMatchObject({ files: 1, lastReceivedAt: noted, uploading: true });
    await addFile(0);
    const { lastReceivedAt } = (await shown()) ?? {};
    expect(Date.parse(lastReceivedAt ?? '')).toBeGreaterThan(Date.parse(noted ?? ''));
  });

  it('is noted once in the interval, however many processes receive files of it', async () => {
    const notes = await Promise.all(Array.from({ length: 5 }, note));
    expect(notes.filter(Boolean)).toHaveLength(1);
    await later(10);
    expect(await note()).toBe(false);
    await later(10);
    const two = await Promise.all([note(), note()]);
    expect(two.filter(Boolean)).toHaveLength(1);
  });

  it('counts as interrupted two minutes after the api was killed, which leaves incomplete content', async () => {
    await storeChunk(database, { organizationId, contentId: newId() }, { n: 0, bytes: Buffer.from('{') });
    await note();
    expect(await shown()).toMatchObject({ uploading: true });
    await later(121);
    expect(await shown()).toMatchObject({ status: 'receiving', uploading: false });
  });

  it('that another client has closed expects files again, until nothing has arrived for two minutes', async () => {
    await note();
    await close();
    expect(await shown()).toMatchObject({ status: 'finished', uploading: false });
    await later(20);
    await note();
    expect(await shown()).toMatchObject({ status: 'receiving', uploading: true, closedAt: null });
    await later(121);
    expect(await shown()).toMatchObject({ status: 'finished', uploading: false });
  });

  it('has the time of the database, regardless of the clock of the process', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    await note();
    expect(await shown()).toMatchObject({ uploading: true });
    expect(await note()).toBe(false);
  });
});

it('a batch that was cancelled, deleted, or is of another organization is not noted', async () => {
  const ours = organizationId;
  organizationId = await makeOrganization(database);
  expect(await note()).toBe(false);
  organizationId = ours;
  await inside((trx) => sql`update batch set cancelled_at = now() where id = ${batchId}`.execute(trx));
  expect(await note()).toBe(false);
  await inside((trx) => sql`delete from batch where id = ${batchId}`.execute(trx));
  expect(await note()).toBe(false);
});
