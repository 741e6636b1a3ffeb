import { overview } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import type { Caller } from '../lib/security/caller.ts';
import { afterCommit } from '../lib/publish.ts';
import { overviewCategories, overviewTrend } from './charts.ts';
import { explain } from './explain.ts';
import { overviewMetrics } from './metrics.ts';
import { recompute } from './recompute.ts';

const notBuilt = (): Promise<never> =>
  Promise.reject(new Failure('not_found', 'This call is not built yet.'));

/** Numbers of the overview and how they came about. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  const read = <T>({ organizationId }: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(deps.database, organizationId, work);
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'overview', table: overview },
    {
      metrics: ({ caller }) => read(caller, overviewMetrics),
      riskCategories: ({ caller }) => read(caller, overviewCategories),
      exposureTrend: ({ caller }) => read(caller, overviewTrend),
      changes: notBuilt,
      explain: (context) => explain(deps, context),
      priorities: notBuilt,
      history: notBuilt,
      recompute: (context) => recompute(services, context),
    },
  );
}
