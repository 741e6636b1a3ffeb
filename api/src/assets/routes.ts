import { assets, changedEvent } from '@riskboard/contract';
import {
  assetSource,
  deleteAssets,
  facetsOf,
  type Gone,
  type OrganizationTransaction,
  restoreAssets,
  withOrganization,
} from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { deletedReply, idsOf, recordDeletion } from '../lib/activity/record-deletion.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { plural } from '../lib/plural.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { nowOrLater } from '../records/bulk.ts';
import { projectOf } from './check.ts';
import { childrenOf, findAsset } from './find.ts';
import { type AssetRow, presentAsset, presentDetail, presentExported } from './present.ts';
import { createAsset, updateAsset } from './write.ts';

const words = { one: 'asset', many: 'assets' };
const kind = { noun: 'assets', source: assetSource } as const;

export function assetRoutes(app: FastifyInstance, deps: Deps): void {
  const after = afterCommit(deps, app.log);

  const inside = <T>(
    { organizationId }: Caller,
    work: (trx: OrganizationTransaction) => Promise<T>,
  ): Promise<T> => withOrganization(deps.database, organizationId, work);

  async function tell(caller: Caller, action: 'created' | 'updated' | 'deleted', ids: string[]) {
    if (ids.length === 0) return;
    const event = changedEvent('asset.changed', { action, by: caller.accountId }, ids);
    await after.events(caller.organizationId, [event]);
  }

  async function removeNow(trx: OrganizationTransaction, caller: Caller, ids: string[]): Promise<Gone[]> {
    const rows = await deleteAssets(trx, { ids, by: caller.accountId });
    await recordDeletion(trx, caller, { action: 'asset.deleted', noun: 'assets', labels: words, rows });
    return rows;
  }

  serve(
    app,
    { tag: 'assets', table: assets },
    {
      list: ({ query, caller }) =>
        inside(caller, async (trx) => {
          const { rows, ...page } = await showPage(trx, assetSource, { query, present: presentAsset });
          const skipped = Math.min((page.page - 1) * page.pageSize, page.total);
          return { assets: rows, ...page, skipped };
        }),

      facets: ({ query, caller }) => inside(caller, (trx) => facetsOf(trx, assetSource, query)),

      export: async ({ query, caller, reply }) =>
        sendExport<AssetRow>(reply, deps.database, {
          organizationId: caller.organizationId,
          source: assetSource,
          query,
          present: (row) => presentExported(row, query.format),
          name: 'assets',
        }),

      async create({ query, body, caller, reply }) {
        const projectId = projectOf(query.projectId, body.projectId);
        const asset = await inside(caller, (trx) =>
          createAsset(trx, { caller, body: { ...body, projectId } }),
        );
        await tell(caller, 'created', [asset.id]);
        reply.header('location', `/api/assets/${asset.id}`);
        return sendVersion(reply, presentDetail(asset));
      },

      get: async ({ params, caller, reply }) =>
        sendVersion(reply, presentDetail(await inside(caller, (trx) => findAsset(trx, params.id)))),

      async update({ params, body, caller, request, reply }) {
        const { asset, changed } = await inside(caller, (trx) =>
          updateAsset(trx, { id: params.id, caller, body, request }),
        );
        if (changed) await tell(caller, 'updated', [asset.id]);
        return sendVersion(reply, presentDetail(asset));
      },

      async delete({ params, caller }) {
        const gone = await inside(caller, (trx) => removeNow(trx, caller, [params.id]));
        if (gone.length === 0) throw new Failure('not_found', 'Asset not found.');
        await tell(caller, 'deleted', idsOf(gone));
        return { success: true as const, _id: params.id, id: params.id };
      },

      async deleteMany({ body, caller, reply }) {
        const { job, gone } = await inside(caller, (trx) =>
          nowOrLater({ trx, kind }, { caller, selection: body }, (ids) => removeNow(trx, caller, ids)),
        );
        if (job) return acceptJob(after, { reply, job, message: 'Deleting the assets as a job.' });
        await tell(caller, 'deleted', idsOf(gone));
        return deletedReply(gone, words);
      },

      async restore({ body, caller }) {
        const rows = await inside(caller, async (trx) => {
          const back = await restoreAssets(trx, body.ids);
          await recordDeletion(trx, caller, {
            action: 'asset.restored',
            noun: 'assets',
            labels: words,
            rows: back,
          });
          return back;
        });
        await tell(caller, 'created', idsOf(rows));
        const message = `${plural(rows.length, words)} ${rows.length === 1 ? 'is' : 'are'} back.`;
        return { success: true as const, restoredCount: rows.length, message };
      },

      hierarchy: async ({ params, caller }) => ({
        children: await inside(caller, (trx) => childrenOf(trx, params.id)),
      }),
    },
  );
}
