import { changedEvent } from '@riskboard/contract';
import {
  catalogues,
  type OrganizationTransaction,
  rowLock,
  setCatalogue,
  storeShared,
  withOrganization,
} from '@riskboard/db';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import { mitreCatalogue, mitreVersion } from './mitre-catalogue.ts';

type Context = JobContext<'cwe.refresh'>;

/** The shared catalogue of MITRE's newest version; it is fetched unless it is stored already. */
async function newestCatalogue(context: Context): Promise<string> {
  const { deps, organizationId, signal, progress } = context;
  if (!deps.cweApiUrl)
    throw new JobFailure(
      'mitre_off',
      'This instance does not request catalogues from MITRE (CWE_API_URL is empty).',
    );
  const reading = { base: deps.cweApiUrl, signal };
  progress({ phase: 'requesting', done: 0, total: 0 });
  const version = await mitreVersion(reading);
  const known = await withOrganization(deps.database, organizationId, catalogues);
  const stored = known.find(
    ({ origin, version: name }) => origin !== 'upload' && name === version.ContentVersion,
  );
  if (stored) return stored.id;
  progress({ phase: 'fetching', done: 0, total: 0 });
  const content = await mitreCatalogue(reading, version, (done) =>
    progress({ phase: 'fetching', done, total: 0 }),
  );
  signal.throwIfAborted();
  const total = content.entries.length;
  progress({ phase: 'saving', done: 0, total });
  return storeShared(deps.database, content);
}

const lockOrganization = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('organization')
    .select('organization_id')
    .modifyEnd(rowLock(trx, { name: 'organization', mode: 'no key update' }))
    .executeTakeFirstOrThrow();

/**
 * Fetches MITRE's newest catalogue, stores it for all organizations and makes this organization use it. A failure leaves
 * the catalogue in use as it is; a catalogue that was stored before it is found by the next run.
 */
export const cweRefresh: JobHandler<'cwe.refresh'> = async (context) => {
  const { deps, organizationId, job } = context;
  const id = await newestCatalogue(context);
  return withOrganization(deps.database, organizationId, async (trx) => {
    await lockOrganization(trx);
    const changed = await setCatalogue(trx, id);
    const used = (await catalogues(trx)).find((one) => one.id === id);
    const version = used?.version ?? '';
    if (!changed) {
      await context.finish(trx, { version, previousVersion: version, entries: 0 });
      return [];
    }
    const { previousVersion, stale } = changed;
    await recordEntries(trx, context, {
      action: 'catalogue.refreshed',
      entries: [{ nounId: null, name: `CWE ${version}`, detail: { version, previousVersion } }],
    });
    const entries = used ? used.weaknesses + used.categories + used.views : 0;
    await context.finish(trx, { version, previousVersion, entries });
    const by = job.created_by;
    const isStale = typeof stale === 'number' ? stale > 0 : stale.length > 0;
    return [
      changedEvent('catalogue.changed', { action: 'changed', by }, 1),
      ...(isStale ? [changedEvent('vulnerability.changed', { action: 'changed', by }, stale)] : []),
    ];
  });
};
