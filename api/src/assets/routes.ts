import type { Asset, AssetDetail } from '@riskboard/contract';
import { assets } from '@riskboard/contract/schemas';
import { deleteAssets, lockAssets, restoreAssets, updateAssets } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordDeletion } from '../lib/activity/record-deletion.ts';
import { serve } from '../lib/http/serve.ts';
import { deleteRows } from '../records/bulk.ts';
import { relatedEvents, requireRecords } from '../records/related-records.ts';
import { suggestionsForAsset } from '../records/suggestions.ts';
import { entityHandlers } from '../records/entity-handlers.ts';
import { blastRadiusOf } from './blast-radius.ts';
import { projectOf, requireProject } from './check.ts';
import { childrenOf } from './find.ts';
import { relateToAsset } from './relate.ts';
import { assetMetrics } from './metrics.ts';
import { explainScore } from './score.ts';
import { assetRules, type FullAsset } from './rules.ts';

const { entity, source } = assetRules;
const list = { noun: entity.noun, source, assetsBy: 'id' } as const;

export function assetRoutes(app: FastifyInstance, deps: Deps): void {
  const handlers = entityHandlers<Asset, AssetDetail, FullAsset>(deps, app.log, {
    rules: assetRules,
    missing: 'Asset not found.',
    notRestored: 'their project was deleted, or they were deleted more than 30 days ago',

    delete: (trx, { caller, selection }) =>
      deleteRows({ trx, list }, { caller, selection }, async (ids) => {
        const rows = await deleteAssets(trx, { ids, by: caller.accountId });
        await recordDeletion(trx, caller, {
          action: 'asset.deleted',
          labels: entity,
          rows,
        });
        return { rows };
      }),

    updatable: {
      entity,
      source,
      async prepare(trx, { columns, relations }) {
        await lockAssets(trx);
        const pathOf = { threats: 'change.addThreats', vulnerabilities: 'change.addVulnerabilities' };
        if (relations) await requireRecords(trx, relations, (noun) => pathOf[noun]);
        await requireProject(trx, columns['project_id'] as string | undefined, 'change.projectId');
      },
      update: updateAssets,
    },

    async restore(trx, caller, ids) {
      const rows = await restoreAssets(trx, ids, caller.accountId);
      await recordDeletion(trx, caller, { action: 'asset.restored', labels: entity, rows });
      return { rows };
    },
  });

  serve(
    app,
    { tag: 'assets', table: assets },
    {
      async list({ query, caller }) {
        const { rows, ...page } = await handlers.page(caller, query);
        if (query.cursor !== undefined) return { assets: rows, ...page };
        const before = (page.page - 1) * page.pageSize;
        const skipped = page.totalIsCapped ? before : Math.min(before, page.total);
        return { assets: rows, ...page, skipped };
      },
      facets: ({ query, caller }) => handlers.facets(caller, query),
      export: async (context) => handlers.export(context, context.query),
      metrics: ({ caller }) => handlers.inside(caller, assetMetrics),
      create: (context) => {
        const { query, body } = context;
        return handlers.create(context, { ...body, projectId: projectOf(query.projectId, body.projectId) });
      },
      get: (context) => handlers.get(context),
      update: (context) => handlers.update(context, context.body),
      delete: (context) => handlers.deleteOrAccept(context),
      deleteMany: (context) => handlers.deleteMany(context, context.body),
      updateMany: (context) => handlers.updateMany(context, context.body),
      restore: (context) => handlers.restore(context, context.body.ids),
      score: ({ params, caller }) => handlers.inside(caller, (trx) => explainScore(trx, params.id)),
      hierarchy: async ({ params, caller }) => ({
        children: await handlers.inside(caller, (trx) => childrenOf(trx, params.id)),
      }),
      async relate({ params, caller, body }) {
        const { reply, records } = await handlers.inside(caller, (trx) =>
          relateToAsset(trx, caller, { id: params.id, body }),
        );
        if (records.length > 0) await handlers.publish(caller, 'updated', { ids: [params.id] });
        await handlers.after.events(caller.organizationId, relatedEvents(caller, records));
        return reply;
      },
      suggestions: ({ params, caller }) =>
        handlers.inside(caller, (trx) => suggestionsForAsset(trx, params.id)),
      blastRadius: ({ params, caller }) => handlers.inside(caller, (trx) => blastRadiusOf(trx, params.id)),
    },
  );
}
