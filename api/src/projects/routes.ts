import type { Project } from '@riskboard/contract';
import { projects } from '@riskboard/contract/schemas';
import {
  deleteProjects,
  type DeletedRow,
  listPage,
  type OrganizationTransaction,
  projectNames,
  restoreProjects,
  withOrganization,
} from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { idsOf, recordDeletion } from '../lib/activity/record-deletion.ts';
import type { Caller } from '../lib/security/caller.ts';
import { serve } from '../lib/http/serve.ts';
import { deleteRows } from '../records/bulk.ts';
import { entityHandlers, type Moved } from '../records/entity-handlers.ts';
import type { FullEntity } from '../records/entity-rules.ts';
import { projectMapOf } from './map.ts';
import { projectDeletion, projectMetrics, projectRisk } from './risk.ts';
import { projectRiskHistory } from './risk-history.ts';
import { projectRules } from './rules.ts';

const { entity, source } = projectRules;
const list = { noun: entity.noun, source, assetsBy: 'project_id' } as const;

interface WithAssets {
  projects: DeletedRow[];
  assets: DeletedRow[];
}

/** Projects are deleted and restored with their assets, in one transaction; the log counts both. */
async function logMoved(
  trx: OrganizationTransaction,
  caller: Caller,
  { verb, moved }: { verb: 'deleted' | 'restored'; moved: WithAssets },
): Promise<Moved> {
  const { projects: rows, assets } = moved;
  const detail = { assets: assets.length };
  await recordDeletion(trx, caller, {
    action: `project.${verb}`,
    labels: entity,
    rows,
    detail,
  });
  return { rows, others: { event: 'asset.changed', ids: idsOf(assets) } };
}

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const handlers = entityHandlers<Project, Project, FullEntity>(deps, app.log, {
    rules: projectRules,
    missing: 'Project not found.',

    delete: (trx, { caller, selection }) =>
      deleteRows({ trx, list }, { caller, selection }, async (ids) => {
        const moved = await deleteProjects(trx, { ids, by: caller.accountId });
        return logMoved(trx, caller, { verb: 'deleted', moved });
      }),

    restore: async (trx, caller, ids) =>
      logMoved(trx, caller, { verb: 'restored', moved: await restoreProjects(trx, ids, caller.accountId) }),
  });

  serve(
    app,
    { tag: 'projects', table: projects },
    {
      async list({ query, caller }) {
        const { rows, ...page } = await handlers.page(caller, query);
        return { projects: rows, ...page };
      },
      async names({ query, caller }) {
        const page = { ...query, page: 1, pageSize: 50, sort: 'name' };
        const { rows, total } = await handlers.inside(caller, (trx) =>
          listPage<{ id: string; name: string }>(trx, projectNames, page),
        );
        return { projects: rows.map(({ id, name }) => ({ _id: id, name })), total };
      },
      facets: ({ query, caller }) => handlers.facets(caller, query),
      export: async (context) => handlers.export(context, context.query),
      metrics: ({ caller }) => withOrganization(database, caller.organizationId, projectMetrics),
      risk: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => projectRisk(trx, params.id)),
      riskHistory: ({ params, query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => projectRiskHistory(trx, params.id, query)),
      deletionPreview: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => projectDeletion(trx, params.id)),
      create: (context) => handlers.create(context, context.body),
      get: (context) => handlers.get(context),
      update: (context) => handlers.update(context, context.body),
      delete: (context) => handlers.deleteOrAccept(context),
      deleteMany: (context) => handlers.deleteMany(context, context.body),
      restore: (context) => handlers.restore(context, context.body.ids),
      map: ({ params, caller }) => handlers.inside(caller, (trx) => projectMapOf(trx, params.id)),
    },
  );
}
