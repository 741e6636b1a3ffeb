import type { Graph } from '@riskboard/contract';
import { lockAssets, updateRecords } from '@riskboard/db';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import type { Caller } from '../lib/security/caller.ts';
import { deleteRecords, restoreSelected, type UpdatableList } from './bulk.ts';
import { entityHandlers } from './entity-handlers.ts';
import { requireAssets } from './find.ts';
import { graphOf } from './graph.ts';
import type { FullRecord, RecordRules } from './entity-rules.ts';
import { suggestionsForRecord } from './suggestions.ts';
import { relatedTo, revertRecord, sourcesOf } from './sources.ts';

interface One {
  params: { id: string };
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Handlers of vulnerabilities and threats: those of every entity, bulk edits, sources, what reports relate them to, and the graph. */
export function recordHandlers<Row extends object, Detail extends { version: number }>(
  deps: Deps,
  log: FastifyBaseLogger,
  rules: RecordRules,
) {
  const { entity, source, table } = rules;
  const list = {
    entity: entity as UpdatableList['entity'],
    source,
    async prepare(trx, { addAssets, removeAssets }) {
      if (addAssets.length + removeAssets.length > 0) await lockAssets(trx);
      await requireAssets(trx, addAssets, 'change.addAssets');
    },
    update: (trx, update, onBatch) => updateRecords(trx, { ...update, table }, onBatch),
  } satisfies UpdatableList;
  const handlers = entityHandlers<Row, Detail, FullRecord>(deps, log, {
    rules,
    notRestored:
      'a report created them again, their reports were deleted, or they were deleted more than 30 days ago',
    delete: (trx, request) => deleteRecords({ trx, rules }, request),
    updatable: list,
    restore: (trx, caller, ids) => restoreSelected({ trx, rules }, caller, ids),
  });
  const { inside, publish, detail } = handlers;

  return {
    ...handlers,

    sources: ({ params, caller }: One) => inside(caller, (trx) => sourcesOf({ trx, rules }, params.id)),

    async revert({ params, caller, request, reply }: One, fields: string[] | undefined) {
      const full = await inside(caller, (trx) =>
        revertRecord({ trx, rules }, { id: params.id, fields, caller, request }),
      );
      await publish(caller, 'updated', { ids: [params.id] });
      return sendVersion(reply, detail(full));
    },

    suggestions: ({ params, caller }: One) =>
      inside(caller, (trx) => suggestionsForRecord(trx, table, params.id)),

    related: ({ params, caller }: One) => inside(caller, (trx) => relatedTo({ trx, rules }, params.id)),

    graph: ({ params, caller }: One): Promise<Graph> =>
      inside(caller, (trx) => graphOf({ trx, rules }, params.id)),
  };
}
