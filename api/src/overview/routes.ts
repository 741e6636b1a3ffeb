import { overview } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, withOrganization, withOrganizationSnapshot } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import type { Caller } from '../lib/security/caller.ts';
import { afterCommit } from '../lib/publish.ts';
import { overviewChanges } from './changes.ts';
import { countListedRows } from './count-listed-rows.ts';
import { overviewHistory } from './history.ts';
import { overviewPriorities } from './priorities.ts';
import { overviewCategories, overviewTrend } from './charts.ts';
import { explain } from './explain.ts';
import { overviewMetrics } from './metrics.ts';
import { recompute } from './recompute.ts';

/** Numbers of the overview and how they came about. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  const read = <T>({ organizationId }: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(deps.database, organizationId, work);
  const readSnapshot = <T>({ organizationId }: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganizationSnapshot(deps.database, organizationId, work);
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'overview', table: overview },
    {
      metrics: ({ caller }) => read(caller, overviewMetrics),
      riskCategories: ({ caller }) => read(caller, overviewCategories),
      exposureTrend: ({ caller }) => read(caller, overviewTrend),
      changes: ({ query, caller }) =>
        readSnapshot(caller, async (trx) => {
          const changes = await overviewChanges(trx, query);
          return { ...changes, causes: await countListedRows(trx, changes.causes) };
        }),
      explain: (context) => explain(deps, context),
      priorities: ({ caller }) => readSnapshot(caller, overviewPriorities),
      history: ({ query, caller }) => readSnapshot(caller, (trx) => overviewHistory(trx, query)),
      recompute: (context) => recompute(services, context),
    },
  );
}
