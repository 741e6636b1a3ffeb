import { changedEvent, type ChangedEvent, vignetteMaxBytes } from '@riskboard/contract';
import { vignettes } from '@riskboard/contract/schemas';
import {
  type ChangedRows,
  facetsOf,
  type OrganizationTransaction,
  selectVignettes,
  selectVignetteVersions,
  vignetteSource,
  withOrganization,
} from '@riskboard/db';
import { starterVignettes, vignetteText } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { asDownload } from '../lib/http/as-download.ts';
import { Failure } from '../lib/http/failure.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import { serve } from '../lib/http/serve.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { countFacets } from '../lib/list-facets.ts';
import { afterCommit } from '../lib/publish.ts';
import { confirmAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { cleanFileName } from '../lib/upload/file-name.ts';
import { readUpload } from '../lib/upload/read-upload.ts';
import { uploadedFile } from '../lib/upload/store-upload.ts';
import {
  findVignette,
  presentContent,
  presentSummary,
  presentVignette,
  type VignetteRow,
} from './present.ts';
import { previewScorecard } from './preview.ts';
import { readVignetteFile, vignetteField } from './read-file.ts';
import {
  addStarters,
  createVignette,
  removeVignette,
  saveUploadedVignette,
  updateVignette,
  type Written,
} from './write.ts';

/** The starter vignettes of the organization, by name. */
async function findStarters(trx: OrganizationTransaction): Promise<VignetteRow[]> {
  const names = starterVignettes.map(({ name }) => name);
  return selectVignettes(trx)
    .where(sql<boolean>`name_key in (select lower(n) from unnest(${names}::text[]) n)`)
    .orderBy('name_key')
    .execute();
}

export function vignetteRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);

  const inside = <T>(caller: Caller, work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
    withOrganization(database, caller.organizationId, work);

  const publish = (
    caller: Caller,
    action: ChangedEvent['action'],
    { ids, stale = [] }: { ids: string[]; stale?: ChangedRows },
  ): Promise<void> => {
    const by = caller.accountId;
    return after.events(caller.organizationId, [
      changedEvent('vignette.changed', { action, by }, ids),
      ...(stale === 0 || (typeof stale !== 'number' && stale.length === 0)
        ? []
        : [changedEvent('vulnerability.changed', { action: 'updated', by }, stale)]),
    ]);
  };

  /** Writes one vignette, publishes the change after the commit, and shows the vignette as it is then. */
  async function write(caller: Caller, work: (trx: OrganizationTransaction) => Promise<Written>) {
    const { written, shown } = await inside(caller, async (trx) => {
      const done = await work(trx);
      return { written: done, shown: await presentVignette(trx, await findVignette(trx, done.id)) };
    });
    if (written.action !== 'unchanged')
      await publish(caller, written.action, { ids: [written.id], stale: written.stale });
    return { written, shown };
  }

  serve(
    app,
    { tag: 'vignettes', table: vignettes },
    {
      list: ({ query, caller }) =>
        inside(caller, async (trx) => {
          const { rows, ...page } = await showPage<VignetteRow, ReturnType<typeof presentSummary>>(
            trx,
            vignetteSource,
            { query, present: presentSummary },
          );
          return { items: rows, ...page };
        }),

      facets: ({ query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) =>
          facetsOf(trx, vignetteSource, query),
        ),

      export: async ({ query, caller, reply }) =>
        sendExport<VignetteRow>(reply, database, {
          organizationId: caller.organizationId,
          source: vignetteSource,
          query,
          present: (row) => ({ ...presentSummary(row) }),
          name: 'vignettes',
        }),

      async upload({ caller, request }) {
        const parts = request.parts({ limits: { fileSize: vignetteMaxBytes } });
        const file = await uploadedFile(parts, vignetteField);
        const originalFilename = cleanFileName(file, ['.json']);
        const text = await readUpload(request, file, vignetteMaxBytes);
        await confirmAccess(request);
        const { vignette, warnings } = readVignetteFile(text);
        const { written } = await write(caller, (trx) =>
          saveUploadedVignette(trx, caller, { vignette, originalFilename }),
        );
        return {
          success: true as const,
          action: written.action === 'created' ? ('created' as const) : ('replaced' as const),
          _id: written.id,
          id: written.id,
          name: vignette.name,
          scorecardName: vignette.scorecardName,
          version: written.version,
          warnings: [...warnings],
        };
      },

      async create({ body, caller, reply }) {
        const { shown } = await write(caller, (trx) => createVignette(trx, caller, body));
        return sendVersion(reply, shown);
      },

      async addStarters({ caller }) {
        const { ids, rows } = await inside(caller, async (trx) => ({
          ids: await addStarters(trx, caller),
          rows: await findStarters(trx),
        }));
        if (ids.length > 0) await publish(caller, 'created', { ids });
        return { created: ids.length, items: rows.map(presentSummary) };
      },

      get: ({ params, caller, reply }) =>
        inside(caller, async (trx) =>
          sendVersion(reply, await presentVignette(trx, await findVignette(trx, params.id))),
        ),

      version: ({ params, caller }) =>
        inside(caller, async (trx) => {
          const { id } = await findVignette(trx, params.id);
          const row = await selectVignetteVersions(trx, id)
            .select('content')
            .where('version', '=', params.version)
            .executeTakeFirst();
          if (!row) throw new Failure('not_found', 'This version of the vignette does not exist.');
          const { content, version, at, by } = row;
          return { ...presentContent(content), version, at: at.toISOString(), by };
        }),

      async update({ params, body, caller, request, reply }) {
        const { shown } = await write(caller, (trx) =>
          updateVignette(trx, caller, { id: params.id, body, request }),
        );
        return sendVersion(reply, shown);
      },

      async delete({ params, caller, request }) {
        const stale = await inside(caller, (trx) => removeVignette(trx, caller, { id: params.id, request }));
        await publish(caller, 'deleted', { ids: [params.id], stale });
        return { success: true as const, _id: params.id, id: params.id };
      },

      async download({ params, caller, reply }) {
        const row = await inside(caller, (trx) => findVignette(trx, params.id));
        return asDownload(
          reply,
          row.original_filename || `${row.name}.json`,
          'application/json; charset=utf-8',
        ).send(vignetteText(row.content));
      },

      preview: ({ body, caller }) => previewScorecard(database, caller, body),
    },
  );
}
