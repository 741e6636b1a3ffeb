import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { expectRowLock, manyRecordsLock, rowLock } from './row-lock.ts';
import { lockAssertions, lockFiles, lockFilesAndAssertions } from './file-locks.ts';
import { lockAssets } from './asset-locks.ts';
import { LockOrderError } from './lock-order.ts';
import { lockVignettes } from './vignette-locks.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { updateRecords } from '../records/update-many.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

type Work<T = unknown> = (trx: OrganizationTransaction) => Promise<T>;
const inside = <T>(work: Work<T>): Promise<T> => withOrganization(database, organizationId, work);

/** Whether another transaction could take this lock now. */
async function isFree(lock: Work): Promise<boolean> {
  try {
    await inside(async (trx) => {
      await sql`set local lock_timeout = '50ms'`.execute(trx);
      await lock(trx);
    });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: '55P03' });
    return false;
  }
}

const lockFile =
  (id: string): Work =>
  (trx) =>
    trx.selectFrom('report_file').select('id').where('id', '=', id).forUpdate().execute();

const aSessionWaits = () =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and pid in (
          select pid from pg_stat_activity where datname = current_database())`.execute(database.system);
      expect(rows).not.toEqual([]);
    },
    { interval: 10 },
  );

const table = 'vulnerability';
const all = { table, where: sql<boolean>`true`, by: null } as const;
const change = { columns: { status: 'fixed' }, addAssets: [newId()], removeAssets: [] };
const recordIds = async (): Promise<string[]> =>
  (await inside((trx) => trx.selectFrom(table).select('id').execute())).map((row) => row.id);

describe('a change of many records', () => {
  it.each<[string, (trx: OrganizationTransaction, ids: string[]) => Promise<unknown>]>([
    ['deletes', (trx) => deleteRecords(trx, all)],
    ['restores', (trx, ids) => restoreRecords(trx, table, ids)],
    ['updates', (trx) => updateRecords(trx, { ...all, change })],
  ])('that %s them holds the locks of assets and assertions until its end', async (verb, act) => {
    await makeFile(database, organizationId, { name: 'a.json', keys: ['A'] });
    const ids = await recordIds();
    if (verb === 'restores') await inside((trx) => deleteRecords(trx, all));
    await inside(async (trx) => {
      await act(trx, ids);
      expect(await isFree(lockAssets)).toBe(false);
      expect(await isFree(lockAssertions)).toBe(false);
    });
    expect(await isFree(lockAssets)).toBe(true);
    expect(await isFree(lockAssertions)).toBe(true);
  });
});

describe('the files of records', () => {
  const fileOf = async (name: string, keys: string[]): Promise<string> =>
    (await makeFile(database, organizationId, { name, keys })).fileId;
  const filesOfRecords = sql<{ id: string }>`
    select distinct file_id as id from report_record where vulnerability_id is not null`;

  it('cannot be deleted while their records change; others can', async () => {
    const [a, b] = [await fileOf('a.json', ['A']), await fileOf('b.json', [])];
    await inside(async (trx) => {
      await lockFilesAndAssertions(trx, filesOfRecords);
      expect([await isFree(lockFile(a)), await isFree(lockFile(b))]).toEqual([false, true]);
    });
  });

  it('are selected again when an extraction ended meanwhile', async () => {
    const a = await fileOf('a.json', ['A']);
    const extracting = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const b = newId();
    const extraction = inside(async (trx) => {
      await lockAssertions(trx);
      await sql`insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
        select organization_id, ${b}, 'b.json', content_id, media, size, sha256, parse_job_id from report_file`.execute(
        trx,
      );
      await sql`insert into report_record
          (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data, vulnerability_id)
        select organization_id, ${b}, id, kind, key, ordinal, type, state, location, name, data, vulnerability_id
        from report_record`.execute(trx);
      extracting.resolve();
      await end.promise;
    });
    await extracting.promise;
    const change = inside(async (trx) => {
      await lockFilesAndAssertions(trx, filesOfRecords);
      return [await isFree(lockFile(a)), await isFree(lockFile(b))];
    });
    await aSessionWaits();
    end.resolve();
    await extraction;
    expect(await change).toEqual([false, false]);
  });
});

describe('the order of locks', () => {
  const [low, high] = [newId(), newId()];
  const row =
    (name: 'file' | 'job' | 'record', id: string): Work =>
    (trx) =>
      Promise.resolve(rowLock(trx, { name, id, mode: 'update' }));

  it.each<[string, Work[], RegExp]>([
    ['a file after a job', [row('job', low), row('file', low)], /file .* before job/u],
    [
      'files after the assertions',
      [lockAssertions, (trx) => lockFiles(trx, [low])],
      /file .* before assertions/u,
    ],
    ['assets after a record', [row('record', low), lockAssets], /assets .* before record/u],
    ['vignettes after the assertions', [lockAssertions, lockVignettes], /vignettes .* before assertions/u],
    ['a job with a smaller id', [row('job', high), row('job', low)], /job .* before job/u],
    ['a second record without the assertions', [row('record', low), row('record', high)], /assertions/u],
    [
      'many records without the assertions',
      [(trx) => Promise.resolve(manyRecordsLock(trx, 'update'))],
      /assertions/u,
    ],
  ])('throws for %s', async (_name, locks, message) => {
    const attempt = inside(async (trx) => {
      for (const lock of locks) await lock(trx);
    });
    await expect(attempt).rejects.toThrow(LockOrderError);
    await expect(
      inside(async (trx) => {
        for (const lock of locks) await lock(trx);
      }),
    ).rejects.toThrow(message);
  });

  it('accepts every lock in order, and a lock that the transaction holds already', async () => {
    const inOrder = inside(async (trx) => {
      await lockAssets(trx);
      await lockVignettes(trx);
      await row('file', low)(trx);
      await lockAssertions(trx);
      await row('record', high)(trx);
      await row('job', low)(trx);
      expectRowLock(trx, { name: 'job', id: low });
      await lockAssertions(trx);
      await row('job', high)(trx);
    });
    await expect(inOrder).resolves.toBeUndefined();
  });

  it('waits for vignettes as long as a bulk calculation may save its scores', async () => {
    const timeout = await inside(async (trx) => {
      await lockVignettes(trx);
      const { rows } = await sql<{
        timeout: string;
      }>`select current_setting('lock_timeout') as timeout`.execute(trx);
      return rows[0]?.timeout;
    });
    expect(timeout).toBe('25s');
  });

  it('starts again in each transaction', async () => {
    await inside(row('job', low));
    await expect(inside(row('file', low))).resolves.toBeDefined();
  });
});
