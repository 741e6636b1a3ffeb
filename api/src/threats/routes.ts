import { threats } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import { riskBandOf } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { recordHandlers } from '../records/handlers.ts';
import { threatKind } from './kind.ts';
import { threatMetrics } from './metrics.ts';
import { presentDetail, presentThreat, type ThreatRow } from './present.ts';

/** What a bulk edit may set, and where. */
const bulkColumns = {
  isActive: 'is_active',
  threatTypeId: 'threat_type_id',
  threatCategory: 'threat_category',
} as const;

export function threatRoutes(app: FastifyInstance, deps: Deps): void {
  const records = recordHandlers(deps, app.log, {
    kind: threatKind,
    present: (row: ThreatRow) => presentThreat(row),
    presentDetail,
    derived: ({ risk_level: level }) => ({ risk: level === null ? null : riskBandOf(level).value }),
  });

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
      updateMany: (context) => {
        const { change, ...selection } = context.body;
        return records.updateMany(context, { selection, change, columns: bulkColumns });
      },
      restore: (context) => records.restore(context, context.body.ids),
      sources: (context) => records.sources(context),
      revert: (context) => records.revert(context, context.body.fields),
      graph: (context) => records.graph(context),
    },
  );
}
