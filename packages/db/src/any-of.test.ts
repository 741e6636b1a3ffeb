import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAccountsWithoutMembership } from './accounts/delete-without-membership.ts';
import { anyOf } from './any-of.ts';
import { interruptRuns } from './jobs/interrupt-runs.ts';
import { cancelJobs, insertJob } from './jobs/jobs.ts';
import { newId } from './new-id.ts';
import { makeFile, makeOrganization } from './testing/organization.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';
import { withOrganization } from './with-organization.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** More than a statement can have parameters. */
const others = Array.from({ length: 65_536 }, newId);

it('rows are selected by any number of ids', async () => {
  const organizationId = await makeOrganization(database);
  const { fileId } = await makeFile(database, organizationId, { name: 'report.json' });
  await withOrganization(database, organizationId, async (trx) => {
    const id = await insertJob(trx, {
      kind: 'stix.parse',
      payload: { fileId, contentId: newId() },
      organizationId,
      fileId,
    });
    const found = trx.selectFrom('job').select('id');
    expect(await found.where('id', '=', anyOf([...others, id])).execute()).toEqual([{ id }]);
    expect(await found.where('id', '=', anyOf([])).execute()).toEqual([]);
    expect(await interruptRuns(trx, [...others, fileId])).toEqual([]);
    expect(await cancelJobs(trx, { fileIds: [...others, fileId] })).toMatchObject([{ id }]);
  });
  await database.system.transaction().execute((trx) => deleteAccountsWithoutMembership(trx, others));
});
