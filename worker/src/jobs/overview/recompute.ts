import { recomputeOverview, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { JobHandler } from '../run/context.ts';

const differencesShown = 100;

/**
 * Compares the numbers of the overview with a recount and repairs them (decision 0036), in one transaction: a run that is
 * killed leaves nothing behind. Earlier jobs that no person requested are deleted, so that only the newest is kept.
 */
export const metricsRecompute: JobHandler<'metrics.recompute'> = (context) => {
  const { deps, organizationId, job } = context;
  context.progress({ phase: 'comparing', done: 0, total: 0 });
  return withOrganization(deps.database, organizationId, async (trx) => {
    const { checked, repaired, recounted, snapshots } = await recomputeOverview(trx);
    if (repaired.length > 0 || recounted > 0)
      deps.log.warn(
        { organizationId, repaired: repaired.slice(0, differencesShown), recounted },
        'numbers of the overview differed from the records and were repaired',
      );
    await context.finish(trx, {
      checked,
      repaired: repaired.length,
      differences: repaired.slice(0, differencesShown),
      recounted,
      snapshots,
    });
    await sql`
      delete from job
      where organization_id = current_organization() and kind = 'metrics.recompute' and created_by is null
        and state = 'succeeded' and id <> ${job.id}`.execute(trx);
    // Recomputations follow each large job: pages do not load again for one that found nothing.
    return repaired.length > 0 || recounted > 0
      ? [{ type: 'overview.changed', action: 'updated', count: repaired.length, by: job.created_by }]
      : [];
  });
};
