import { views } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { createView, deleteView, listViews, updateView } from './views.ts';

/** Saved views of lists: each belongs to a user; other members may open it by link. */
export function viewRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'views', table: views },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => ({
          views: await listViews(trx, caller, query),
        })),

      create: ({ body, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => createView(trx, caller, body)),

      update: ({ params, body, caller }) =>
        withOrganization(database, caller.organizationId, (trx) =>
          updateView(trx, caller, { id: params.id, change: body }),
        ),

      async delete({ params, caller }) {
        await withOrganization(database, caller.organizationId, (trx) => deleteView(trx, caller, params.id));
        return { success: true as const, _id: params.id, id: params.id };
      },
    },
  );
}
