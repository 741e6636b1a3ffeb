import { setTimeout as sleep } from 'node:timers/promises';
import type { JobPayload, JobProgress } from '@riskboard/contract';
import {
  cancelJobs,
  insertJob,
  newId,
  restoreRecords,
  revertToReports,
  runningTransactions,
  updateRecords,
} from '@riskboard/db';
import { deleteRecords } from '@riskboard/db/testing/delete-records';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkExtraction } from '../../testing/import-report.ts';
import { crashPoint, stopBeforeCommit, lockWaits } from '../../testing/crash-points.ts';
import type { JobHandlers } from '../run/context.ts';
import { handlers } from '../handlers.ts';
import { snapshot } from '../../testing/snapshot.ts';
import { bundle, manyVulnerabilities, vulnerability } from '../../testing/stix2.ts';
import { removeFile, requestExtraction } from '../../testing/store-report.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const request = <K extends 'records.delete' | 'records.update'>(
  kind: K,
  payload: JobPayload<K>,
): Promise<string> =>
  harness.inside((trx) => insertJob(trx, { kind, payload, organizationId: harness.organizationId }));

const fixed = { columns: { status: 'fixed' }, addAssets: [], removeAssets: [] };
const everything = { noun: 'vulnerabilities' as const, filter: {} };

/** Imports vulnerabilities with a report. @returns the file's id */
async function imported(count: number): Promise<string> {
  const { fileId } = await harness.read('many.json', bundle(manyVulnerabilities(count)));
  await harness.extract(fileId);
  return fileId;
}

const rows = () =>
  harness.inside((trx) => trx.selectFrom('vulnerability').selectAll().orderBy('key').execute());
const trashIds = async (): Promise<string[]> =>
  (await harness.inside((trx) => trx.selectFrom('deleted_record').select('id').execute())).map(
    (row) => row.id,
  );
const counted = async (fileId: string): Promise<number | undefined> =>
  (
    await harness.inside((trx) =>
      trx.selectFrom('report_file').select('vulnerability_count').where('id', '=', fileId).executeTakeFirst(),
    )
  )?.vulnerability_count;

describe('a bulk job', () => {
  it('deletes the selected records, counts them exactly, and changes nothing in a second run', async () => {
    const fileId = await imported(700);
    await harness.inside((trx) =>
      sql`update vulnerability set severity = 9.5, edited_fields = '{severity}' where key < 'cve:CVE-2020-10100'`.execute(
        trx,
      ),
    );
    const before = await rows();
    const jobId = await request('records.delete', {
      noun: 'vulnerabilities',
      filter: { severity: ['critical'] },
    });
    await harness.run(jobId);
    const deleted = before.filter((row) => row.severity === 9.5).length;
    expect(deleted).toBeGreaterThan(0);
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      result: { matched: deleted, changed: deleted, unchanged: 0 },
    });
    expect(await rows()).toHaveLength(700 - deleted);
    expect(await trashIds()).toHaveLength(deleted);
    expect(await counted(fileId)).toBe(700 - deleted);
    const after = await snapshot(harness);
    await harness.run(jobId);
    expect(await snapshot(harness)).toEqual(after);
    const back = await harness.inside(async (trx) => restoreRecords(trx, 'vulnerability', await trashIds()));
    expect(back).toHaveLength(deleted);
    expect(await rows()).toEqual(before);
    expect(await counted(fileId)).toBe(700);
  });

  it('updates the selected records except those that already have the values', async () => {
    await imported(600);
    await harness.inside((trx) =>
      sql`update vulnerability set status = 'fixed' where id in (select id from vulnerability limit 90)`.execute(
        trx,
      ),
    );
    const jobId = await request('records.update', { ...everything, change: fixed });
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ result: { matched: 600, changed: 510, unchanged: 90 } });
    expect(
      (await rows()).filter((row) => row.version === 2 && row.edited_fields[0] === 'status'),
    ).toHaveLength(510);
    expect((await rows()).every((row) => row.status === 'fixed')).toBe(true);
    const changed = { type: 'vulnerability.changed', action: 'updated', count: 510 };
    expect(harness.recorded.events).toContainEqual(expect.objectContaining(changed) as unknown);
    const after = await snapshot(harness);
    await harness.run(jobId);
    expect(await snapshot(harness)).toEqual(after);
  });

  it('reports the total at the start and its progress after every batch', async () => {
    await imported(3);
    const seen: JobProgress[] = [];
    const watched = <C extends { progress(progress: JobProgress): void }>(context: C): C => ({
      ...context,
      progress(progress) {
        seen.push(progress);
        context.progress(progress);
      },
    });
    const watching: JobHandlers = {
      ...handlers,
      'records.delete': (context) => handlers['records.delete'](watched(context)),
      'records.update': (context) => handlers['records.update'](watched(context)),
    };
    await harness.run(await request('records.update', { ...everything, change: fixed }), {
      handlers: watching,
    });
    await harness.run(await request('records.delete', everything), { handlers: watching });
    expect(seen).toEqual(
      ['changing vulnerabilities', 'deleting vulnerabilities'].flatMap((phase) => [
        { phase, done: 0, total: 3 },
        { phase, done: 3, total: 3 },
      ]),
    );
  });

  it('publishes the ids of the records, unless they are more than an event carries', async () => {
    await imported(101);
    const ids = (await rows()).map(({ id }) => id);
    await harness.run(
      await request('records.update', { ...everything, ids: ids.slice(1), filter: undefined, change: fixed }),
    );
    await harness.run(await request('records.delete', everything));
    const [updated, deleted] = harness.recorded.events
      .filter(({ type }) => type === 'vulnerability.changed')
      .slice(-2);
    expect(updated).toMatchObject({ action: 'updated', count: 100 });
    expect(new Set((updated as { ids?: string[] }).ids)).toEqual(new Set(ids.slice(1)));
    expect(deleted).toEqual({ type: 'vulnerability.changed', action: 'deleted', by: null, count: 101 });
  });

  it('does not include records that were created after the request', async () => {
    await imported(3);
    const jobId = await request('records.delete', everything);
    const { fileId } = await harness.read('later.json', bundle([vulnerability({ cves: ['CVE-1999-0001'] })]));
    await harness.extract(fileId);
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ result: { matched: 3 } });
    expect(await rows()).toMatchObject([{ key: 'cve:CVE-1999-0001' }]);
  });

  it.each([
    ['records.delete', {}],
    ['records.update', { change: fixed }],
  ] as const)(
    '%s does not include records of an extraction that runs at the request and ends while the job waits for it',
    async (kind, more) => {
      await imported(3);
      const { fileId } = await harness.read(
        'later.json',
        bundle([vulnerability({ cves: ['CVE-1999-0001'] })]),
      );
      const extraction = await requestExtraction(harness.database, harness.organizationId, {
        fileId,
        kinds: ['vulnerabilities'],
      });
      const saved = crashPoint();
      const extracting = harness.run(extraction, { handlers: stopBeforeCommit(saved) });
      await saved.reached;
      const jobId = await harness.inside(async (trx) =>
        insertJob(trx, {
          kind,
          payload: { ...everything, ...more, runningTransactions: await runningTransactions(trx) },
          organizationId: harness.organizationId,
        }),
      );
      const running = harness.run(jobId);
      await lockWaits(harness.database);
      saved.open();
      await Promise.all([extracting, running]);
      expect(await harness.job(jobId)).toMatchObject({
        state: 'succeeded',
        result: { matched: 3, changed: 3, skipped: [{ reason: 'created after the request', count: 1 }] },
      });
      const untouched = await rows();
      expect(untouched.filter((row) => row.version === 1)).toMatchObject([{ key: 'cve:CVE-1999-0001' }]);
    },
  );

  it('names the requesting user in the record, the trash, the activity log and the event', async () => {
    await imported(2);
    const [by, organization_id] = [newId(), harness.organizationId];
    const ben = { id: by, email: `${by}@example.org`, password_hash: 'x', first_name: 'Ben' };
    await harness.database.system.insertInto('account').values(ben).execute();
    await harness.database.system
      .insertInto('membership')
      .values({ organization_id, account_id: by, role: 'analyst' })
      .execute();
    const run = async (jobId: string) => {
      await harness.inside((trx) =>
        trx.updateTable('job').set({ created_by: by }).where('id', '=', jobId).execute(),
      );
      await harness.run(jobId);
    };
    await run(await request('records.update', { ...everything, change: fixed }));
    expect(await rows()).toMatchObject([{ updated_by: by }, { updated_by: by }]);
    // The second update has no effect and no activity entry.
    await run(await request('records.update', { ...everything, change: fixed }));
    await run(await request('records.delete', everything));
    const deletions = await harness.inside((trx) =>
      trx.selectFrom('deleted_record').select('deleted_by').execute(),
    );
    expect(deletions).toEqual([{ deleted_by: by }, { deleted_by: by }]);
    const log = await harness.inside((trx) =>
      trx.selectFrom('activity').selectAll().where('noun', '=', 'vulnerabilities').orderBy('id').execute(),
    );
    const common = { account_id: by, actor: `Ben <${ben.email}>`, via: 'system', name: '2 vulnerabilities' };
    expect(log).toMatchObject([
      {
        ...common,
        action: 'vulnerability.updated-many',
        detail: { count: 2, changes: { status: { from: 'open', to: 'fixed' } } },
      },
      { ...common, action: 'vulnerability.deleted', detail: { count: 2 } },
    ]);
    const published = harness.recorded.events
      .filter(({ type }) => type === 'vulnerability.changed')
      .slice(-1);
    expect(published).toMatchObject([{ action: 'deleted', by, count: 2 }]);
  });

  it.each(['records.delete', 'records.update'] as const)(
    '%s that is cancelled in the middle changes no record',
    async (kind) => {
      await imported(600);
      const jobId =
        kind === 'records.delete'
          ? await request(kind, everything)
          : await request(kind, { ...everything, change: fixed });
      const before = await snapshot(harness);
      const done = crashPoint();
      const run = harness.run(jobId, { handlers: stopBeforeCommit(done) });
      await done.reached;
      await harness.inside((trx) => cancelJobs(trx, { id: jobId }));
      done.open();
      await run;
      const { job: _jobs, ...after } = await snapshot(harness);
      const { job: _before, ...untouched } = before;
      expect(after).toEqual(untouched);
      expect(await harness.job(jobId)).toMatchObject({ state: 'cancelled', result: null });
      expect(await trashIds()).toEqual([]);
    },
  );
});

describe('a record of a report', () => {
  const cves = ['CVE-2021-44228'];
  const at = (modified: string, name: string) =>
    bundle([vulnerability({ cves, modified, name, description: `${name} described` })]);
  const march = '2024-03-01T00:00:00.000Z';
  const april = '2024-04-01T00:00:00.000Z';

  async function take(name: string, content: string): Promise<string> {
    const { fileId } = await harness.read(name, content);
    await checkExtraction(harness, await harness.extract(fileId));
    return fileId;
  }
  const row = async () => {
    const [only, ...others] = await rows();
    expect(others).toEqual([]);
    if (!only) throw new Error('No row');
    return only;
  };
  /** Edits the record as the api does. */
  const edit = () =>
    harness.inside((trx) =>
      trx
        .updateTable('vulnerability')
        .set({ name: 'Mine', edited_fields: ['name'], updated_by: '019a0000-0000-7000-8000-000000000000' })
        .execute(),
    );

  it('keeps edited fields and takes the others from a newer report; after a revert it has the values of the newest report', async () => {
    await take('march.json', at(march, 'March'));
    await edit();
    await take('april.json', at(april, 'April'));
    expect(await row()).toMatchObject({
      name: 'Mine',
      description: 'April described',
      source_file: 'april.json',
      updated_by: null,
    });
    const { id } = await row();
    await harness.inside((trx) =>
      revertToReports(trx, 'vulnerability', {
        id,
        columns: ['name'],
        by: '019a0000-0000-7000-8000-000000000000',
      }),
    );
    expect(await row()).toMatchObject({ name: 'April', edited_fields: [] });
  });

  it('that was deleted is created again from the report by the next extraction, and the deleted one stays in the trash', async () => {
    const fileId = await take('march.json', at(march, 'March'));
    await edit();
    const { id } = await row();
    await harness.run(await request('records.delete', { noun: 'vulnerabilities', ids: [id] }));
    expect(await rows()).toEqual([]);
    await harness.extract(fileId);
    const recreated = await row();
    expect(recreated).toMatchObject({ name: 'March', edited_fields: [] });
    expect(await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [id]))).toEqual([]);
    expect((await row()).id).toBe(recreated.id);
    expect(await trashIds()).toEqual([id]);
  });

  it('that was restored is asserted again and updated by newer reports', async () => {
    const fileId = await take('march.json', at(march, 'March'));
    await edit();
    const before = await row();
    await harness.run(await request('records.delete', { noun: 'vulnerabilities', ids: [before.id] }));
    await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [before.id]));
    expect(await row()).toEqual(before);
    expect(await counted(fileId)).toBe(1);
    await take('april.json', at(april, 'April'));
    expect(await row()).toMatchObject({ id: before.id, name: 'Mine', description: 'April described' });
  });

  it('whose status was set in bulk is kept when its report is deleted', async () => {
    const fileId = await take('march.json', at(march, 'March'));
    await harness.inside((trx) =>
      updateRecords(trx, { table: 'vulnerability', where: sql`true`, change: fixed, by: null }),
    );
    await harness.remove(fileId);
    expect(await row()).toMatchObject({ status: 'fixed', source_file: '' });
  });
});

describe('extractions, bulk actions and deletions of the same records at once', () => {
  it.each([
    ['deletion', () => Promise.resolve()],
    ['restoration', (remove: () => Promise<unknown>) => remove()],
  ])('a %s of records waits for the concurrent deletion of their file', async (what, prepare) => {
    const fileId = await imported(2);
    const ids = (await rows()).map((row) => row.id);
    const remove = () =>
      harness.inside((trx) => deleteRecords(trx, { table: 'vulnerability', where: sql`true`, by: null }));
    await prepare(remove);
    const held = crashPoint();
    const removal = harness.inside(async (trx) => {
      await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
      await held.pass();
      await removeFile(trx, fileId);
    });
    await held.reached;
    const other =
      what === 'deletion' ? remove() : harness.inside((trx) => restoreRecords(trx, 'vulnerability', ids));
    await lockWaits(harnesses.database);
    held.open();
    const [done] = await Promise.all([other, removal]);
    // Nothing is restored that only the deleted file had asserted.
    expect(done).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('do not deadlock, and the counts stay correct', { timeout: 60_000 }, async () => {
    const rounds = 12;
    const objects = manyVulnerabilities(40);
    for (let round = 0; round < rounds; round += 1) {
      const files = await Promise.all(
        ['a.json', 'b.json', 'c.json'].map((name) => harness.read(`${round}-${name}`, bundle(objects))),
      );
      const [a = '', b = '', c = ''] = files.map(({ fileId }) => fileId);
      await harness.extract(a);
      const ids = (await rows()).map((one) => one.id);
      const remove = (some: string[]) =>
        request('records.delete', { noun: 'vulnerabilities', ids: some }).then(harness.run);
      const later = async (work: () => Promise<unknown>) => {
        await sleep(Math.random() * 15);
        await work();
      };
      await Promise.all([
        later(() => harness.extract(b)),
        later(() => harness.extract(c)),
        later(() => harness.remove(a)),
        later(() => remove(ids.slice(0, 25))),
        later(() => remove(ids.slice(15).toReversed())),
        ...ids.slice(10, 16).map((id) => later(() => remove([id]))),
        later(async () => harness.run(await request('records.update', { ...everything, change: fixed }))),
        later(() => harness.inside((trx) => restoreRecords(trx, 'vulnerability', ids))),
      ]);
      const failed = await harness.inside((trx) =>
        trx
          .selectFrom('job')
          .select(['kind', 'state', 'tries', 'phase'])
          .where((eb) => eb.or([eb('state', '<>', 'succeeded'), eb('tries', '>', 1)]))
          .execute(),
      );
      expect(failed).toEqual([]);
      const { rows: wrong } = await harness.inside((trx) =>
        sql`select name from report_file f where vulnerability_count <> (
          select count(*) from report_record r where r.file_id = f.id and r.vulnerability_id is not null)`.execute(
          trx,
        ),
      );
      expect(wrong).toEqual([]);
    }
  });
});
