import type { Threat, ThreatDetail } from '@riskboard/contract';
import { threats } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { recordHandlers } from '../records/record-handlers.ts';
import { threatMetrics } from './metrics.ts';
import { threatRules } from './rules.ts';

export function threatRoutes(app: FastifyInstance, deps: Deps): void {
  const records = recordHandlers<Threat, ThreatDetail>(deps, app.log, threatRules);

  serve(
    app,
    { tag: 'threats', table: threats },
    {
      async list({ query, caller }) {
        const { rows, ...page } = await records.page(caller, query);
        return { threats: rows, ...page };
      },
      facets: ({ query, caller }) => records.facets(caller, query),
      export: async (context) => records.export(context, context.query),
      metrics: ({ caller }) => withOrganization(deps.database, caller.organizationId, threatMetrics),
      create: (context) => records.create(context, context.body),
      get: (context) => records.get(context),
      update: (context) => records.update(context, context.body),
      delete: (context) => records.delete(context),
      deleteMany: (context) => records.deleteMany(context, context.body),
      updateMany: (context) => records.updateMany(context, context.body),
      restore: (context) => records.restore(context, context.body.ids),
      sources: (context) => records.sources(context),
      revert: (context) => records.revert(context, context.body.fields),
      related: (context) => records.related(context),
      graph: (context) => records.graph(context),
      suggestions: (context) => records.suggestions(context),
    },
  );
}
