import type { BulkUpdated, Entity, Graph } from '@riskboard/contract';
import { type BulkChange, lockAssets } from '@riskboard/db';
import { plural } from '@riskboard/domain';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Values } from '../lib/columns.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import type { Caller } from '../lib/security/caller.ts';
import { deleteSelected, restoreSelected, type Selection, updateJob, updateSelected } from './bulk.ts';
import { entityHandlers } from './entity-handlers.ts';
import { requireAssets } from './find.ts';
import { graphOf } from './graph.ts';
import type { FullRecord, RecordRules } from './kind.ts';
import { revertRecord, sourcesOf } from './sources.ts';

interface One {
  params: { id: string };
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Handlers of vulnerabilities and threats: those of every entity, bulk edits, sources and the graph. */
export function recordHandlers<Row extends object, Detail extends { version: number }>(
  deps: Deps,
  log: FastifyBaseLogger,
  rules: RecordRules,
) {
  const { entity } = rules;
  const handlers = entityHandlers<Row, Detail, FullRecord>(deps, log, {
    rules,
    notRestored: 'created again by a report, or deleted more than 30 days ago',
    async delete(trx, request) {
      const { job, deleted } = await deleteSelected({ trx, rules }, request);
      return job ? { job } : { deleted: { rows: deleted } };
    },
    restore: async (trx, caller, ids) => ({ rows: await restoreSelected({ trx, rules }, caller, ids) }),
  });
  const { inside, after, publish, detail } = handlers;

  return {
    ...handlers,

    async updateMany(
      { caller, reply }: Pick<One, 'caller' | 'reply'>,
      { change: input, ...selection }: Selection & { change: Values },
    ): Promise<z.infer<typeof BulkUpdated> | { jobId: string; message: string }> {
      const change = bulkChangeOf(entity, input);
      const { job, updated } = await inside(caller, async (trx) => {
        if (change.addAssets.length + change.removeAssets.length > 0) await lockAssets(trx);
        await requireAssets(trx, change.addAssets, 'change.addAssets');
        const queued = await updateJob({ trx, rules }, { caller, selection, change });
        if (queued) return { job: queued };
        return { updated: await updateSelected({ trx, rules }, { caller, selection, change }) };
      });
      if (job)
        return acceptJob(after, { reply, job, message: `Changing the ${entity.many} in the background.` });
      const { matched, ids } = updated;
      await publish(caller, 'updated', { ids });
      return {
        success: true as const,
        updatedCount: ids.length,
        unchangedCount: matched - ids.length,
        message: `${plural(ids.length, entity.one, entity.many)} changed.`,
      };
    },

    sources: ({ params, caller }: One) => inside(caller, (trx) => sourcesOf({ trx, rules }, params.id)),

    async revert({ params, caller, reply }: One, fields: string[] | undefined) {
      const full = await inside(caller, (trx) =>
        revertRecord({ trx, rules }, { id: params.id, fields, caller }),
      );
      await publish(caller, 'updated', { ids: [params.id] });
      return sendVersion(reply, detail(full));
    },

    graph: ({ params, caller }: One): Promise<Graph> =>
      inside(caller, (trx) => graphOf({ trx, rules }, params.id)),
  };
}

/** The columns of the fields that may be set in bulk, and the relations. */
function bulkChangeOf({ fields }: Entity, change: Values): BulkChange {
  const columns = Object.entries(fields).flatMap(([name, { bulk, column }]) =>
    bulk && column !== null && change[name] !== undefined ? [[column, change[name]]] : [],
  );
  return {
    columns: Object.fromEntries(columns) as BulkChange['columns'],
    addAssets: (change['addAssets'] ?? []) as string[],
    removeAssets: (change['removeAssets'] ?? []) as string[],
  };
}
