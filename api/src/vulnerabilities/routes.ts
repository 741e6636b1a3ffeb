import type { Vulnerability, VulnerabilityDetail } from '@riskboard/contract';
import { vulnerabilities } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { recordHandlers } from '../records/record-handlers.ts';
import { vulnerabilityMetrics } from './metrics.ts';
import { vulnerabilityRules } from './rules.ts';

export function vulnerabilityRoutes(app: FastifyInstance, deps: Deps): void {
  const records = recordHandlers<Vulnerability, VulnerabilityDetail>(deps, app.log, vulnerabilityRules);

  serve(
    app,
    { tag: 'vulnerabilities', table: vulnerabilities },
    {
      async list({ query, caller }) {
        const { rows, ...page } = await records.page(caller, query);
        return { vulnerabilities: rows, ...page };
      },
      async fromReports({ query, caller }) {
        const { rows, ...page } = await records.page(caller, Object.assign(query, { imported: true }));
        return { items: rows, ...page };
      },
      fromReportsFacets: ({ query, caller }) =>
        records.facets(caller, Object.assign(query, { imported: true })),
      facets: ({ query, caller }) => records.facets(caller, query),
      export: async (context) => records.export(context, context.query),
      metrics: ({ caller }) => withOrganization(deps.database, caller.organizationId, vulnerabilityMetrics),
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
