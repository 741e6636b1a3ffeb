import type { Catalogue } from '@riskboard/contract';
import {
  catalogues,
  insertJob,
  type JobRow,
  type OrganizationTransaction,
  selectJobs,
  setCatalogue,
} from '@riskboard/db';
import { actAsOwner } from '../organizations/ownership.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';

/** The catalogue in use with the versions to choose from. @throws Failure 409 when none is loaded */
export async function showCatalogue(trx: OrganizationTransaction, canRefresh: boolean): Promise<Catalogue> {
  const all = await catalogues(trx);
  const used = all.find(({ inUse }) => inUse);
  if (!used) throw new Failure('conflict', 'No weakness catalogue is loaded.');
  const { id: _id, inUse: _inUse, ...current } = used;
  return {
    ...current,
    canRefresh,
    newestVersion: all[0]?.contentVersion ?? current.contentVersion,
    versions: all.map(({ id: _hidden, inUse: _used, notice: _notice, ...version }) => version),
  };
}

/** Undefined when the organization uses this version already. */
export type CatalogueChange = Awaited<ReturnType<typeof setCatalogue>>;

/** @throws Failure 422 for a version that the organization does not have */
export async function chooseCatalogue(
  trx: OrganizationTransaction,
  caller: Caller,
  version: string,
): Promise<CatalogueChange> {
  await actAsOwner(trx, caller);
  const chosen = (await catalogues(trx)).find((one) => one.version === version);
  if (!chosen) throw invalidField('version', `There is no catalogue ${version}.`);
  const changed = await setCatalogue(trx, chosen.id);
  if (changed)
    await recordActivity(trx, caller, {
      action: 'catalogue.chosen',
      nounId: null,
      name: `CWE ${version}`,
      detail: { version, previousVersion: changed.previousVersion },
    });
  return changed;
}

/** Queues a refresh, one at a time for an organization. @throws Failure 409 while another one runs */
export async function queueRefresh(trx: OrganizationTransaction, caller: Caller): Promise<JobRow> {
  await actAsOwner(trx, caller);
  const running = await trx
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'cwe.refresh')
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (running) throw new Failure('conflict', 'The weakness catalogue is being refreshed already.');
  const id = await insertJob(trx, {
    kind: 'cwe.refresh',
    payload: {},
    organizationId: caller.organizationId,
    createdBy: caller.accountId,
  });
  return selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
}
