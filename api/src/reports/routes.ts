import { plural } from '@riskboard/domain';
import { changedEvent } from '@riskboard/contract';
import { reports } from '@riskboard/contract/schemas';
import {
  type DeletedFiles,
  facetsOf,
  importObjectSource,
  recordEvents,
  reportFileSource,
  withOrganization,
} from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { asDownload } from '../lib/http/as-download.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { idsOf } from '../lib/activity/record-deletion.ts';
import { sendExport } from '../lib/list-export.ts';
import { afterCommit, whileInterrupted } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { countFacets } from '../lib/list-facets.ts';
import type { RequestedRows } from '../records/bulk.ts';
import { deleteReports, prepareDeletion } from './files/delete-files.ts';
import { fileWithContent, rawBytes } from './files/download.ts';
import { extract } from './extract.ts';
import {
  findFile,
  findReadFile,
  importFacets,
  type ImportObjectRow,
  importObjects,
  importReport,
  presentObject,
} from './import/import-report.ts';
import { reportsOverview } from './overview.ts';
import { type FileRow, listFiles, presentFile, selectFiles } from './files/files.ts';
import { uploadReport } from './upload/upload-report.ts';

export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);
  const services = { deps, after };

  /** The file to download; records the download as an activity. */
  async function recordDownload(caller: Caller, id: string, form: string) {
    return withOrganization(database, caller.organizationId, async (trx) => {
      const row = await selectFiles(trx).where('report_file.id', '=', id).executeTakeFirst();
      if (!row) throw new Failure('not_found', 'Failed to retrieve file');
      await recordActivity(trx, caller, {
        action: 'report.downloaded',
        nounId: row.id,
        name: row.name,
        detail: { form },
      });
      return row;
    });
  }

  async function remove(caller: Caller, requested: RequestedRows) {
    const { organizationId } = caller;
    const { job, prepared } = await withOrganization(database, organizationId, (trx) =>
      prepareDeletion(trx, caller, requested),
    );
    if (job) return { job };
    const deleted = await whileInterrupted(after, prepared.interrupted, () =>
      withOrganization(database, organizationId, (trx) => deleteReports(trx, caller, prepared.ids)),
    );
    return { deleted };
  }

  async function publishDeleted(caller: Caller, { files, records, cancelled }: DeletedFiles) {
    const by = caller.accountId;
    await Promise.all([
      after.jobsCancelled(cancelled),
      after.events(caller.organizationId, [
        changedEvent('file.changed', { action: 'deleted', by }, idsOf(files)),
        ...recordEvents(records, by),
      ]),
    ]);
  }

  serve(
    app,
    { tag: 'reports', table: reports },
    {
      upload: (call) => uploadReport(deps, after, call),

      files: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => listFiles(trx, query)),

      fileFacets: ({ query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) =>
          facetsOf(trx, reportFileSource, query),
        ),

      fileExport: async ({ query, caller, reply }) =>
        sendExport<FileRow>(reply, database, {
          organizationId: caller.organizationId,
          source: reportFileSource,
          query,
          present: (row) => ({ ...presentFile(row) }),
          name: 'files',
        }),

      async file({ params, caller, reply }) {
        const row = await recordDownload(caller, params.id, 'json');
        return reply
          .type('application/json; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(await fileWithContent({ database, disk: app.disk }, row));
      },

      async raw({ params, caller, reply }) {
        const row = await recordDownload(caller, params.id, 'original');
        return asDownload(reply, row.name, 'application/octet-stream')
          .header('content-length', row.size)
          .send(rawBytes(database, row));
      },

      async deleteFile({ params, caller, request, reply }) {
        const { job, deleted } = await remove(caller, { ids: [params.id] });
        const done = () => ({ success: true as const, _id: params.id, id: params.id });
        if (job)
          return acceptJob(services, {
            request,
            reply,
            job,
            kind: 'records.delete',
            message: 'Deleting the file in the background.',
            done,
          });
        if (deleted.files.length === 0) throw new Failure('not_found', 'Failed to delete file');
        await publishDeleted(caller, deleted);
        return done();
      },

      async deleteFiles({ body, caller, request, reply }) {
        const { job, deleted } = await remove(caller, body);
        const done = (deletedCount: number) => ({
          success: true as const,
          deletedCount,
          message: `${plural(deletedCount, 'file was', 'files were')} removed.`,
        });
        if (job)
          return acceptJob(services, {
            request,
            reply,
            job,
            kind: 'records.delete',
            message: 'Deleting the files in the background.',
            done: ({ changed }) => done(changed),
          });
        await publishDeleted(caller, deleted);
        return done(deleted.files.length);
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

      importFacets: ({ params, query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) =>
          importFacets(trx, params.id, query),
        ),

      async importExport({ params, query, caller, reply }) {
        await withOrganization(database, caller.organizationId, (trx) => findReadFile(trx, params.id));
        const row = await recordDownload(caller, params.id, 'import report');
        const input = { ...query, fileId: row.id };
        return sendExport<ImportObjectRow>(reply, database, {
          organizationId: caller.organizationId,
          source: importObjectSource,
          query: input,
          present: (object) => ({ ...presentObject(object) }),
          name: `${row.name} - import report`,
        });
      },

      extractVulnerability: (context) =>
        extract(services, context, {
          fileId: context.body.id,
          kinds: ['vulnerabilities'],
          fallback: 'Failed to request extraction',
        }),
      extractThreat: (context) =>
        extract(services, context, {
          fileId: context.body.id,
          kinds: ['threats'],
          fallback: 'Failed to request threat extraction',
        }),
      extractBoth: (context) =>
        extract(services, context, {
          fileId: context.body.id,
          kinds: context.body.kinds,
          fallback: 'Failed to request extraction',
        }),

      overview: ({ caller }) => withOrganization(database, caller.organizationId, reportsOverview),
    },
  );
}
