import { overview } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import { recompute } from './recompute.ts';

const notBuilt = (): Promise<never> =>
  Promise.reject(new Failure('not_found', 'This call is not built yet.'));

/** Numbers of the overview and how they came about. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'overview', table: overview },
    {
      metrics: notBuilt,
      riskCategories: notBuilt,
      exposureTrend: notBuilt,
      changes: notBuilt,
      explain: notBuilt,
      priorities: notBuilt,
      history: notBuilt,
      recompute: (context) => recompute(services, context),
    },
  );
}
