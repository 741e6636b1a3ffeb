import { Readable } from 'node:stream';
import { type Batch, changedEvent } from '@riskboard/contract';
import { batches } from '@riskboard/contract/schemas';
import {
  batchFileSource,
  type BatchFileRow,
  facetsOf,
  type OrganizationTransaction,
  presentBatch,
  presentBatchFile,
  processingSeconds,
  readProcessingRate,
  selectBatches,
  withOrganization,
} from '@riskboard/db';
import { estimateSeconds } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { sendExport } from '../lib/list-export.ts';
import { sendPrintPage } from '../lib/print-page.ts';
import { countFacets } from '../lib/list-facets.ts';
import { afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { batchFiles } from './batch-files.ts';
import {
  cancelBatch,
  type ChangedBatch,
  closeBatch,
  createBatch,
  pauseBatch,
  resumeBatch,
  retryBatch,
} from './change-batch.ts';
import { requireBatch } from './find-batch.ts';
import { batchReport } from './report-html.ts';

/** Events of more jobs are published after the reply, which would wait seconds for them. */
const mostAwaited = 100;

/** SQL: the batch `b` expects files or has received one; an upload that was cancelled at its start leaves an empty one. */
const isListed = sql<boolean>`(b.closed_at is null and b.cancelled_at is null or exists (
  select from batch_file f where f.organization_id = b.organization_id and f.batch_id = b.id))`;

type Change<T extends ChangedBatch> = (
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
) => Promise<T>;

export function batchRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);

  const publishChange = (caller: Caller, id: string, action: 'created' | 'updated') =>
    after.events(caller.organizationId, [
      changedEvent('batch.changed', { action, by: caller.accountId }, [id]),
    ]);

  async function change<T extends ChangedBatch>(caller: Caller, id: string, make: Change<T>): Promise<T> {
    const changed = await withOrganization(database, caller.organizationId, (trx) => make(trx, caller, id));
    await publishChange(caller, id, 'updated');
    const { queued = [], cancelled = [], held = [] } = changed;
    // None of these ever rejects.
    const jobs = Promise.all([
      ...(queued.length > 0 ? [after.jobsQueued(queued)] : []),
      ...(cancelled.length > 0 ? [after.jobsCancelled(cancelled)] : []),
      ...(held.length > 0 ? [after.jobsHeld(held)] : []),
    ]);
    if (queued.length + cancelled.length + held.length <= mostAwaited) await jobs;
    return changed;
  }

  const changeTo =
    (make: Change<ChangedBatch>) =>
    async ({ params, caller }: { params: { id: string }; caller: Caller }): Promise<Batch> =>
      presentBatch((await change(caller, params.id, make)).batch);

  serve(
    app,
    { tag: 'batches', table: batches },
    {
      list: ({ query: { page, pageSize }, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { total } = await trx
            .selectFrom('batch as b')
            .select((eb) => eb.fn.countAll<number>().as('total'))
            .where(isListed)
            .executeTakeFirstOrThrow();
          const rows = await selectBatches(
            trx,
            sql`and ${isListed} order by created_at desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
          );
          return { batches: rows.map(presentBatch), total, page, pageSize };
        }),

      async create({ body, caller }) {
        const batch = await withOrganization(database, caller.organizationId, (trx) =>
          createBatch(trx, caller, body),
        );
        await publishChange(caller, batch.id, 'created');
        return presentBatch(batch);
      },

      estimate: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const rate = await readProcessingRate(trx);
          return { seconds: estimateSeconds(query, rate), basedOn: rate.files };
        }),

      get: ({ params, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const row = await requireBatch(trx, params.id);
          const batch = presentBatch(row);
          const seconds = batch.finishedAt === null ? undefined : await processingSeconds(trx, row);
          return { ...batch, ...(seconds !== undefined && { processingSeconds: seconds }) };
        }),

      close: changeTo(closeBatch),
      cancel: changeTo(cancelBatch),
      pause: changeTo(pauseBatch),
      resume: changeTo(resumeBatch),

      async retry({ params, caller }) {
        const { batch, retried } = await change(caller, params.id, retryBatch);
        return { batch: presentBatch(batch), retried };
      },

      report: async ({ params, caller, reply }) =>
        sendPrintPage(
          reply,
          Readable.from(await batchReport(database, caller, params.id), { objectMode: false }),
        ),

      files: ({ params, query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => batchFiles(trx, params.id, query)),

      filesFacets: ({ params, query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, async (trx) => {
          await requireBatch(trx, params.id);
          const input = { ...query, batchId: params.id };
          return facetsOf(trx, batchFileSource, input);
        }),

      async filesExport({ params, query, caller, reply }) {
        const { name } = await withOrganization(database, caller.organizationId, (trx) =>
          requireBatch(trx, params.id),
        );
        const input = { ...query, batchId: params.id };
        return sendExport<BatchFileRow>(reply, database, {
          organizationId: caller.organizationId,
          source: batchFileSource,
          query: input,
          present: (row) => ({ ...presentBatchFile(row) }),
          name: `${name} - batch report`,
        });
      },
    },
  );
}
