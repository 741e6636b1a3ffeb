import { type BulkUpdated, changedEvent, type Facets, type Graph } from '@riskboard/contract';
import {
  type BulkChange,
  facetsOf,
  type FilterInput,
  type OrganizationTransaction,
  type PageInput,
  withOrganization,
} from '@riskboard/db';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { plural } from '../lib/plural.ts';
import { afterCommit } from '../lib/publish.ts';
import { asJob, asUpdateJob, deleteNow, restoreNow, type Selection, updateNow } from './bulk.ts';
import { findRecord, type FullRecord } from './find.ts';
import { graphOf } from './graph.ts';
import type { RecordContext, RecordKind, Values } from './kind.ts';
import { editedFieldsOf, revertRecord, sourcesOf } from './sources.ts';
import { createRecord, requireAssets, updateRecord } from './write.ts';

interface Noun<Row, Shown, Detail> {
  kind: RecordKind;
  present: (row: Row) => Shown;
  /** What the list's columns hold beyond that, for exports. */
  derived?: (row: Row) => Values;
  presentDetail: (full: FullRecord, editedFields: string[]) => Detail;
}

interface One {
  params: { id: string };
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Several = Pick<One, 'caller' | 'reply'>;

/** What the two nouns of records answer alike; their routes say which endpoint is which. */
export function recordHandlers<
  Row extends { id: string },
  Shown extends object,
  Detail extends { version: number },
>(
  { database, ...deps }: Deps,
  log: FastifyBaseLogger,
  { kind, present, presentDetail, derived = () => ({}) }: Noun<Row, Shown, Detail>,
) {
  const after = afterCommit(deps, log);

  const inside = <T>(
    caller: Caller,
    work: (context: RecordContext, trx: OrganizationTransaction) => Promise<T>,
  ) => withOrganization(database, caller.organizationId, (trx) => work({ trx, kind }, trx));

  const detail = (full: FullRecord): Detail =>
    presentDetail(full, editedFieldsOf({ kind } as RecordContext, full.row.edited_fields));

  const tell = (caller: Caller, action: 'created' | 'updated' | 'deleted' | 'changed', ids: string[]) =>
    ids.length === 0
      ? Promise.resolve()
      : after.events(caller.organizationId, [
          changedEvent(kind.event, { action, by: caller.accountId }, ids),
        ]);

  function backMessage(back: number, asked: number): string {
    const were = back === 1 ? 'was' : 'were';
    const message = `${plural(back, kind.words)} ${were} restored.`;
    if (back === asked) return message;
    return `${message} ${plural(asked - back, kind.words)} could not be: brought back by a report meanwhile, or deleted more than 30 days ago.`;
  }

  return {
    page: (caller: Caller, query: PageInput) =>
      inside(caller, (_context, trx) => showPage(trx, kind.source, { query, present })),

    facets: (caller: Caller, query: FilterInput): Promise<Facets> =>
      inside(caller, (_context, trx) => facetsOf(trx, kind.source, query)),

    export: (
      { caller, reply }: Several,
      query: FilterInput & { sort: string; format: 'csv' | 'json'; columns?: string | undefined },
    ): FastifyReply =>
      sendExport<Row>(reply, database, {
        organizationId: caller.organizationId,
        source: kind.source,
        query,
        present: (row) => ({ ...present(row), ...derived(row) }),
        name: kind.noun,
      }),

    async create({ caller, reply }: Several, body: Values): Promise<Detail> {
      const full = await inside(caller, (context) => createRecord(context, { caller, body }));
      await tell(caller, 'created', [full.row.id]);
      reply.header('location', `/api/${kind.noun}/${full.row.id}`);
      return sendVersion(reply, detail(full));
    },

    get: async ({ params, caller, reply }: One): Promise<Detail> =>
      sendVersion(reply, detail(await inside(caller, (context) => findRecord(context, params.id)))),

    async update({ params, caller, request, reply }: One, body: Values): Promise<Detail> {
      const { record, changed } = await inside(caller, (context) =>
        updateRecord(context, { id: params.id, caller, body, request }),
      );
      if (changed) await tell(caller, 'updated', [params.id]);
      return sendVersion(reply, detail(record));
    },

    async delete({ params, caller }: One) {
      const ids = await inside(caller, (context) =>
        deleteNow(context, { caller, selection: { ids: [params.id] } }),
      );
      if (ids.length === 0) throw new Failure('not_found');
      await tell(caller, 'deleted', ids);
      return { success: true as const, _id: params.id, id: params.id };
    },

    async deleteMany({ caller, reply }: Several, selection: Selection) {
      const done = await inside(caller, async (context) => {
        const job = await asJob(context, { caller, selection });
        return job ? { job } : { ids: await deleteNow(context, { caller, selection }) };
      });
      if (done.job)
        return acceptJob(after, {
          reply,
          job: done.job,
          message: `Deleting the ${kind.words.many} as a job.`,
        });
      await tell(caller, 'deleted', done.ids);
      const count = done.ids.length;
      return {
        success: true as const,
        deletedCount: count,
        ids: done.ids,
        message: `${plural(count, kind.words)} ${count === 1 ? 'was' : 'were'} deleted.`,
      };
    },

    async updateMany(
      { caller, reply }: Several,
      {
        selection,
        change,
        columns,
      }: { selection: Selection; change: Values; columns: Record<string, string> },
    ): Promise<z.infer<typeof BulkUpdated> | { jobId: string; message: string }> {
      const wanted = bulkChangeOf(change, columns);
      const done = await inside(caller, async (context) => {
        await requireAssets(context, wanted.addAssets, 'change.addAssets');
        const job = await asUpdateJob(context, { caller, selection, change: wanted });
        return job ? { job } : { updated: await updateNow(context, { caller, selection, change: wanted }) };
      });
      if (done.job)
        return acceptJob(after, {
          reply,
          job: done.job,
          message: `Changing the ${kind.words.many} as a job.`,
        });
      const { matched, ids } = done.updated;
      await tell(caller, 'updated', ids);
      return {
        success: true as const,
        updatedCount: ids.length,
        unchangedCount: matched - ids.length,
        message: `${plural(ids.length, kind.words)} changed.`,
      };
    },

    async restore({ caller }: Several, ids: string[]) {
      const back = await inside(caller, (context) => restoreNow(context, caller, ids));
      await tell(caller, 'created', back);
      return {
        success: true as const,
        restoredCount: back.length,
        message: backMessage(back.length, new Set(ids).size),
      };
    },

    sources: ({ params, caller }: One) => inside(caller, (context) => sourcesOf(context, params.id)),

    async revert({ params, caller, reply }: One, fields: string[] | undefined): Promise<Detail> {
      const full = await inside(caller, (context) =>
        revertRecord(context, { id: params.id, fields, caller }),
      );
      await tell(caller, 'updated', [params.id]);
      return sendVersion(reply, detail(full));
    },

    graph: ({ params, caller }: One): Promise<Graph> =>
      inside(caller, (context) => graphOf(context, params.id)),
  };
}

/** The change as the database does it: columns by name, relations besides. */
function bulkChangeOf(change: Values, columns: Record<string, string>): BulkChange {
  const set = Object.entries(columns).flatMap(([field, column]) =>
    change[field] === undefined ? [] : [[column, change[field] as string | number | boolean | null]],
  );
  return {
    columns: Object.fromEntries(set) as BulkChange['columns'],
    addAssets: (change['addAssets'] ?? []) as string[],
    removeAssets: (change['removeAssets'] ?? []) as string[],
  };
}
