import { imports } from '@riskboard/contract/schemas';
import { presentImport, selectImports, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { asDownload } from '../lib/http/as-download.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import { findImport } from './find.ts';
import { previewImport } from './preview.ts';
import { exportImportRows, importRows } from './rows.ts';
import { removeImport, runImport } from './runs.ts';
import { templateOf } from './template.ts';
import { uploadCsv } from './upload.ts';

export function importRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'imports', table: imports },
    {
      upload: ({ query, caller, request }) => uploadCsv(deps, { caller, request, noun: query.noun }),

      list: ({ query: { noun, page, pageSize }, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { total } = await trx
            .selectFrom('csv_import')
            .select((eb) => eb.fn.countAll<number>().as('total'))
            .$if(noun !== undefined, (query) => query.where('noun', '=', noun ?? 'assets'))
            .executeTakeFirstOrThrow();
          const rows = await selectImports(trx)
            .$if(noun !== undefined, (query) => query.where('csv_import.noun', '=', noun ?? 'assets'))
            .orderBy('csv_import.created_at', 'desc')
            .orderBy('csv_import.id', 'desc')
            .limit(pageSize)
            .offset((page - 1) * pageSize)
            .execute();
          return { imports: rows.map(presentImport), total, page, pageSize };
        }),

      async template({ query: { noun }, caller, reply }) {
        const template = await withOrganization(database, caller.organizationId, (trx) =>
          templateOf(trx, noun),
        );
        return asDownload(reply, `${noun}-template.csv`, 'text/csv; charset=utf-8').send(template);
      },

      get: async ({ params, caller }) =>
        presentImport(
          await withOrganization(database, caller.organizationId, (trx) => findImport(trx, params.id)),
        ),

      preview: async ({ params, body, caller }) => ({
        rows: await previewImport(database, caller.organizationId, { id: params.id, plan: body }),
      }),

      check: ({ params, body, ...call }) =>
        runImport(services, { ...call, id: params.id }, { kind: 'csv.check', plan: body }),

      start: ({ params, body, ...call }) =>
        runImport(services, { ...call, id: params.id }, { kind: 'csv.import', plan: body }),

      rows: ({ params, query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => importRows(trx, params.id, query)),

      rowsExport: ({ params, query, caller, reply }) =>
        exportImportRows(deps, { organizationId: caller.organizationId, reply }, { id: params.id, query }),

      undo: ({ params, ...call }) => runImport(services, { ...call, id: params.id }, { kind: 'csv.undo' }),

      async delete({ params, caller }) {
        await removeImport(services, { id: params.id, caller });
        return { success: true as const, _id: params.id, id: params.id };
      },
    },
  );
}
