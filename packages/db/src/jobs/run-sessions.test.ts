import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization, withOrganizationConnection } from '../with-organization.ts';
import { endEarlierRuns, endRun, inRunSessions } from './run-sessions.ts';

let clone: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  clone = await openClone();
  organizationId = await makeOrganization(clone);
});
afterAll(() => clone.end());

/** A transaction that stays open, as that of a frozen worker, until it is resumed. @returns whether it could commit */
async function openTransaction(jobId: string, attempt: number) {
  const begun = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const committed = inRunSessions({ jobId, attempt }, () =>
    withOrganizationConnection(clone, organizationId, async (trx) => {
      await sql`select 1`.execute(trx);
      begun.resolve();
      await resumed.promise;
    }),
  ).then(
    () => true,
    () => false,
  );
  await begun.promise;
  return {
    resume: () => {
      resumed.resolve();
      return committed;
    },
  };
}

it('a takeover ends the transactions of all earlier runs of the job, and no others', async () => {
  const [job, otherJob] = [newId(), newId()];
  const first = await openTransaction(job, 1);
  const second = await openTransaction(job, 2);
  const own = await openTransaction(job, 11);
  const unrelated = await openTransaction(otherJob, 1);
  await endEarlierRuns(clone, { jobId: job, attempt: 11 });
  expect([await first.resume(), await second.resume()]).toEqual([false, false]);
  expect([await own.resume(), await unrelated.resume()]).toEqual([true, true]);
});

it('the end of a run ends its transactions, and none of other runs of the job', async () => {
  const job = newId();
  const lost = await openTransaction(job, 1);
  const next = await openTransaction(job, 2);
  await endRun(clone, { jobId: job, attempt: 1 });
  expect([await lost.resume(), await next.resume()]).toEqual([false, true]);
});

it('a session has the name of its run only in the transactions of the run', async () => {
  const name = () =>
    withOrganization(clone, organizationId, async (trx) => {
      const { rows } = await sql<{ name: string }>`
        select current_setting('application_name') as name`.execute(trx);
      return rows[0]?.name;
    });
  const jobId = newId();
  const before = await name();
  expect(await inRunSessions({ jobId, attempt: 3 }, name)).toBe(`riskboard job ${jobId} 3`);
  expect(await name()).toBe(before);
});
