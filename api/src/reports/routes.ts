import { reports } from '@riskboard/contract';
import { facetsOf, reportFileSource, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordActivity } from '../lib/activity.ts';
import { asDownload } from '../lib/as-download.ts';
import type { Caller } from '../lib/caller.ts';
import { Failure, invalidField } from '../lib/failure.ts';
import { sendExport } from '../lib/list-export.ts';
import { many } from '../lib/page.ts';
import { afterCommit, changedEvent } from '../lib/publish.ts';
import { serve } from '../lib/serve.ts';
import { deleteFiles } from './delete-files.ts';
import { fileWithContent, rawBytes } from './download.ts';
import { importCsv, importJson } from './export-import.ts';
import { extract } from './extract.ts';
import { cleanFileName } from './file-name.ts';
import { findFile, importObjects, importReport } from './import-report.ts';
import { listFiles } from './list-files.ts';
import { reportsOverview } from './overview.ts';
import { type FileRow, presentFile, selectFiles } from './present.ts';
import { firstFile, receiveReport } from './receive.ts';
import { saveUpload } from './save-upload.ts';

export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);

  /** The file that is to be handed out, and who took what of it. */
  async function handOut(caller: Caller, id: string, form: string) {
    return withOrganization(database, caller.organizationId, async (trx) => {
      const row = await selectFiles(trx).where('report_file.id', '=', id).executeTakeFirst();
      if (!row) throw new Failure('not_found', 'Failed to retrieve file');
      await recordActivity(trx, caller, {
        action: 'report.downloaded',
        noun: 'reports',
        nounId: row.id,
        name: row.name,
        detail: { form },
      });
      return row;
    });
  }

  async function remove(caller: Caller, ids: string[]) {
    const deleted = await withOrganization(database, caller.organizationId, (trx) =>
      deleteFiles(trx, caller, ids),
    );
    const change = { action: 'deleted', by: caller.accountId } as const;
    await Promise.all([
      after.jobsCancelled(deleted.cancelled),
      after.events(caller.organizationId, [
        changedEvent('file.changed', change, deleted.ids),
        { type: 'vulnerability.changed', ...change, count: deleted.dropped.vulnerability },
        { type: 'threat.changed', ...change, count: deleted.dropped.threat },
      ]),
    ]);
    return deleted;
  }

  serve(
    app,
    { tag: 'reports', table: reports },
    {
      async upload({ query, caller, request }) {
        const parts = request.parts();
        const part = await firstFile(parts);
        if (!part) throw invalidField('stixFile', 'Choose a file to upload.');
        if (part.fieldname !== 'stixFile')
          throw invalidField(
            'stixFile',
            `Send the file in the field stixFile, not ${part.fieldname.slice(0, 50)}.`,
          );
        const name = cleanFileName(part.filename);
        const received = await receiveReport(database, caller.organizationId, { part, rest: parts });
        const saved = await withOrganization(database, caller.organizationId, (trx) =>
          saveUpload(trx, caller, { ...received, name, extract: query.extract }),
        );
        const action = saved.action === 'created' ? 'created' : 'updated';
        await Promise.all([
          after.jobsCancelled(saved.cancelled),
          after.jobsQueued(saved.queued),
          after.events(caller.organizationId, [
            changedEvent('file.changed', { action, by: caller.accountId }, [saved.fileId]),
          ]),
        ]);
        return {
          success: true as const,
          action: saved.action,
          _id: saved.fileId,
          id: saved.fileId,
          stixVersion: received.stixVersion,
          jobId: saved.jobId,
        };
      },

      files: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => listFiles(trx, query)),

      fileFacets: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => facetsOf(trx, reportFileSource, query)),

      fileExport: async ({ query, caller, reply }) =>
        sendExport<FileRow>(reply, database, {
          organizationId: caller.organizationId,
          source: reportFileSource,
          query,
          present: (row) => ({ ...presentFile(row) }),
          name: 'files',
        }),

      async file({ params, caller, reply }) {
        const row = await handOut(caller, params.id, 'json');
        return reply
          .type('application/json; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(await fileWithContent(database, row));
      },

      async raw({ params, caller, reply }) {
        const row = await handOut(caller, params.id, 'original');
        return asDownload(reply, row.name, 'application/octet-stream')
          .header('content-length', row.size)
          .send(rawBytes(database, row));
      },

      async deleteFile({ params, caller }) {
        const deleted = await remove(caller, [params.id]);
        if (deleted.ids.length === 0) throw new Failure('not_found', 'Failed to delete file');
        return { success: true as const, _id: params.id, id: params.id };
      },

      async deleteFiles({ body, caller }) {
        const { ids } = await remove(caller, body.ids);
        return {
          success: true as const,
          deletedCount: ids.length,
          message: `${ids.length} files were removed.`,
        };
      },

      vulnerabilityCount: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => ({
          count: (await findFile(trx, params.id)).vulnerability_count,
        })),

      threatCount: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => ({
          count: (await findFile(trx, params.id)).threat_count,
        })),

      importReport: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => importReport(trx, params.id)),

      importObjects: ({ params, query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => importObjects(trx, params.id, query)),

      async importExport({ params, query, caller, reply }) {
        const row = await handOut(caller, params.id, 'import report');
        const wanted = {
          organizationId: caller.organizationId,
          fileId: row.id,
          outcomes: many(query.outcome),
        };
        const name = `${row.name} - import report.${query.format}`;
        return query.format === 'csv'
          ? asDownload(reply, name, 'text/csv; charset=utf-8').send(importCsv(database, wanted))
          : asDownload(reply, name, 'application/json; charset=utf-8').send(importJson(database, wanted));
      },

      extractVulnerability: ({ body, caller, request, reply }) =>
        extract(deps, after, {
          caller,
          request,
          reply,
          wanted: { fileId: body.id, kinds: ['vulnerabilities'], fallback: 'Failed to request extraction' },
        }),

      extractThreat: ({ body, caller, request, reply }) =>
        extract(deps, after, {
          caller,
          request,
          reply,
          wanted: { fileId: body.id, kinds: ['threats'], fallback: 'Failed to request threat extraction' },
        }),

      extractBoth: ({ body, caller, request, reply }) =>
        extract(deps, after, {
          caller,
          request,
          reply,
          wanted: { fileId: body.id, kinds: body.kinds, fallback: 'Failed to request extraction' },
        }),

      overview: ({ caller }) => withOrganization(database, caller.organizationId, reportsOverview),
    },
  );
}
