import type { BulkUpdated, ChangedEvent, Entity, Facets } from '@riskboard/contract';
import { changedEvent } from '@riskboard/contract';
import {
  type CsvRecords,
  facetsOf,
  type FilterInput,
  type DeletedRow,
  type JobRow,
  type OrganizationTransaction,
  type PageInput,
  versionInTrash,
  withOrganization,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { deletedReply, idsOf } from '../lib/activity/record-deletion.ts';
import type { Values } from '../lib/columns.ts';
import { Failure } from '../lib/http/failure.ts';
import { keyedId } from '../lib/http/idempotency-key.ts';
import { requireVersion, sendVersion } from '../lib/http/if-match.ts';
import type { SentFields } from '../lib/http/sent-fields.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { countFacets } from '../lib/list-facets.ts';
import {
  type Deletion,
  type RequestedRows,
  type Selection,
  selectionOf,
  type UpdatableList,
  updateSelected,
} from './bulk.ts';
import type { EntityRules, FullEntity } from './entity-rules.ts';
import { exportDetails } from './export-details.ts';
import { presentDetail, presentRow } from './present.ts';
import { relatedEvents } from './related-records.ts';
import { createEntity, lastChanger, updateEntity } from './write.ts';

/** Rows that were deleted or restored, and rows of other entities that went with them. */
export interface Moved {
  rows: DeletedRow[];
  others?: { event: ChangedEvent['type']; ids: string[] };
  /** Assets whose relations to the rows began or ended. */
  assets?: string[];
}

/** Reply of a change of several records. */
const updatedReply = (
  updatedCount: number,
  unchangedCount: number,
  { one, many }: Entity,
): z.infer<typeof BulkUpdated> => ({
  success: true,
  updatedCount,
  unchangedCount,
  message: `${plural(updatedCount, one, many)} changed.`,
});

const writesLines = (entity: Entity): entity is NonNullable<CsvRecords['entity']> =>
  entity.table === 'vulnerability' || entity.table === 'threat';

/** Reply of the deletion of one record. */
const deletedOne = ({ params: { id } }: One) => ({ success: true as const, _id: id, id });

type ExportFormat = 'csv' | 'json';

/** What the routes of an entity serve. */
export interface ServedEntity<Full extends FullEntity> {
  rules: EntityRules<Full>;
  /** Why a deleted record may not be restored, where the reply says so. */
  notRestored?: string;
  /** Message for a record that does not exist. */
  missing?: string;
  /** Absent for an entity that is not edited in bulk. */
  updatable?: UpdatableList;
  delete(
    trx: OrganizationTransaction,
    request: { caller: Caller; selection: Selection },
  ): Promise<Deletion<Moved>>;
  restore(trx: OrganizationTransaction, caller: Caller, ids: string[]): Promise<Moved>;
}

interface Several {
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface One extends Several {
  params: { id: string };
}

/**
 * Handlers of the endpoints that every entity has; its routes add what is special. `Row` and `Detail` are the types of
 * the contract's schemas for this entity.
 */
export function entityHandlers<
  Row extends object,
  Detail extends { version: number },
  Full extends FullEntity,
>(deps: Deps, log: FastifyBaseLogger, served: ServedEntity<Full>) {
  const { database } = deps;
  const { rules, missing } = served;
  const { entity, source } = rules;
  const event = entity.event;
  const after = afterCommit(deps, log);

  const inside = <T>(caller: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, caller.organizationId, work);

  const detail = (full: Full) => presentDetail(rules, full) as unknown as Detail;

  async function publish(
    caller: Caller,
    action: ChangedEvent['action'],
    { ids, others, assets = [] }: { ids: string[] } & Pick<Moved, 'others' | 'assets'>,
  ): Promise<void> {
    const by = { action, by: caller.accountId };
    await after.events(caller.organizationId, [
      ...(ids.length > 0 ? [changedEvent(event, by, ids)] : []),
      ...(others && others.ids.length > 0 ? [changedEvent(others.event, by, others.ids)] : []),
      ...(assets.length > 0
        ? [changedEvent('asset.changed', { action: 'updated', by: caller.accountId }, assets)]
        : []),
    ]);
  }

  const publishMoved = (caller: Caller, action: ChangedEvent['action'], { rows, ...moved }: Moved) =>
    publish(caller, action, { ids: idsOf(rows), ...moved });

  /** Deletes a record, with `If-Match` only the version that it names. @throws Failure 404, 412 */
  async function deleteVersion(
    trx: OrganizationTransaction,
    { id, caller, request }: { id: string; caller: Caller; request: FastifyRequest },
  ) {
    const work = () => served.delete(trx, { caller, selection: { ids: [id] } });
    if (request.headers['if-match'] === undefined) return work();
    const before = await rules.find(trx, id);
    requireVersion(request, { version: before.row.version, changedBy: lastChanger(before) });
    const deletion = await work();
    // Another user can change the record until the deletion locks it.
    const version = await versionInTrash(trx, entity.table, id);
    if (version !== undefined) requireVersion(request, { version, changedBy: '' });
    return deletion;
  }

  /** Deletes one record, unless a job does. @throws Failure 404, 412 */
  async function deleteOne({ params, caller, request }: One): Promise<JobRow | undefined> {
    const { job, deleted } = await inside(caller, (trx) =>
      deleteVersion(trx, { id: params.id, caller, request }),
    );
    if (job) return job;
    if (deleted.rows.length === 0) throw new Failure('not_found', missing);
    await publishMoved(caller, 'deleted', deleted);
    return undefined;
  }

  /** Assets that an edit of a threat or vulnerability related or unrelated: their counts and scores changed. */
  function movedAssets(after: Full, before?: Full): string[] {
    if (entity.table === 'asset') return [];
    const idsOfAssets = (full?: Full) => new Set(full?.relatedAssets?.map(({ _id }) => _id));
    const [now, was] = [idsOfAssets(after), idsOfAssets(before)];
    return [...now, ...was].filter((id) => !(now.has(id) && was.has(id)));
  }

  return {
    inside,
    after,
    publish,
    detail,

    page: (caller: Caller, query: PageInput) =>
      inside(caller, (trx) =>
        showPage(trx, source, {
          query,
          present: (row: Values & { id: string }) => presentRow(rules, row) as unknown as Row,
        }),
      ),

    facets: (caller: Caller, query: FilterInput & { field?: string[] | undefined }): Promise<Facets> =>
      countFacets(database, { ...caller, field: query.field }, (trx) => facetsOf(trx, source, query)),

    export: (
      { caller, reply }: Several,
      query: FilterInput & { sort: string; format: ExportFormat; columns?: string | undefined },
    ): FastifyReply =>
      sendExport<Values & { id: string }>(reply, database, {
        organizationId: caller.organizationId,
        source,
        query,
        ...(writesLines(entity) && { entity }),
        present(values) {
          const row = presentRow(rules, values);
          return { ...row, ...rules.exportedValues?.(row, query.format) };
        },
        details: exportDetails(entity, Object.keys(source.fields)),
        name: entity.noun,
      }),

    async create({ caller, request, reply }: Several, body: Values): Promise<Detail> {
      const creation = { caller, body, keyedId: keyedId(request, caller, entity.noun) };
      const { record, created } = await inside(caller, (trx) => createEntity({ trx, rules }, creation));
      if (created) await publish(caller, 'created', { ids: [record.row.id], assets: movedAssets(record) });
      return sendVersion(reply, detail(record));
    },

    get: async ({ params, caller, reply }: One): Promise<Detail> =>
      sendVersion(reply, detail(await inside(caller, (trx) => rules.find(trx, params.id)))),

    async update({ params, caller, request, reply }: One, sent: SentFields): Promise<Detail> {
      const { record, before, changed } = await inside(caller, (trx) =>
        updateEntity({ trx, rules }, { id: params.id, caller, sent, request }),
      );
      if (changed)
        await publish(caller, 'updated', { ids: [record.row.id], assets: movedAssets(record, before) });
      return sendVersion(reply, detail(record));
    },

    async delete(one: One) {
      if (await deleteOne(one)) throw new Error(`A ${entity.one} is deleted in its request`);
      return deletedOne(one);
    },

    /** Of an entity of which one record may be too much to wait for. `If-Match` is compared at the request. */
    async deleteOrAccept(one: One) {
      const job = await deleteOne(one);
      if (job === undefined) return deletedOne(one);
      return acceptJob(
        { deps, after },
        {
          ...one,
          job,
          kind: 'records.delete',
          message: `Deleting the ${entity.one} in the background.`,
          done({ changed }) {
            // Another request deleted it before the job started.
            if (changed === 0) throw new Failure('not_found', missing);
            return deletedOne(one);
          },
        },
      );
    },

    async deleteMany({ caller, request, reply }: Several, requested: RequestedRows) {
      const { job, deleted } = await inside(caller, async (trx) =>
        served.delete(trx, { caller, selection: await selectionOf(trx, source, requested) }),
      );
      if (job)
        return acceptJob(
          { deps, after },
          {
            request,
            reply,
            job,
            kind: 'records.delete',
            message: `Deleting the ${entity.many} in the background.`,
            done: ({ changed }) => deletedReply(changed, entity),
          },
        );
      await publishMoved(caller, 'deleted', deleted);
      return { ...deletedReply(deleted.rows.length, entity), ids: idsOf(deleted.rows) };
    },

    async updateMany(
      { caller, request, reply }: Several,
      { change, ...requested }: RequestedRows & { change: Values },
    ): Promise<z.infer<typeof BulkUpdated> | { jobId: string; message: string }> {
      const { updatable } = served;
      if (updatable === undefined) throw new Error(`${entity.many} cannot be edited in bulk`);
      const { job, updated } = await inside(caller, async (trx) => {
        const selection = await selectionOf(trx, source, requested);
        return updateSelected(trx, updatable, { caller, selection, input: change });
      });
      if (job)
        return acceptJob(
          { deps, after },
          {
            request,
            reply,
            job,
            kind: 'records.update',
            message: `Changing the ${entity.many} in the background.`,
            done: ({ changed, unchanged }) => updatedReply(changed, unchanged, entity),
          },
        );
      const { matched, ids, assets, records } = updated;
      await publish(caller, 'updated', { ids, assets });
      await after.events(caller.organizationId, relatedEvents(caller, records));
      return {
        ...updatedReply(ids.length, matched - ids.length, entity),
        ...(assets.length > 0 && { assetIds: assets }),
      };
    },

    async restore({ caller }: Several, ids: string[]) {
      const { restored, existing } = await inside(caller, async (trx) => ({
        restored: await served.restore(trx, caller, ids),
        existing: await countExisting(trx, entity, ids),
      }));
      await publishMoved(caller, 'created', restored);
      const { length } = restored.rows;
      const requested = new Set(ids.map((id) => id.toLowerCase())).size;
      const counts = { restored: length, already: existing - length, missing: requested - existing };
      return { success: true as const, restoredCount: length, message: restoredMessage(served, counts) };
    },
  };
}

/** How many of the records exist, those that were just restored included. */
async function countExisting(
  trx: OrganizationTransaction,
  { table }: Entity,
  ids: readonly string[],
): Promise<number> {
  const rows = await trx
    .selectFrom(table as 'asset')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return rows.length;
}

/** `already`: records that another call restored before; `missing`: records that stay deleted. */
function restoredMessage<Full extends FullEntity>(
  { rules: { entity }, notRestored }: ServedEntity<Full>,
  { restored, already, missing }: { restored: number; already: number; missing: number },
): string {
  const counted = (count: number) => plural(count, entity.one, entity.many);
  const sentences = [
    `${counted(restored)} ${restored === 1 ? 'was' : 'were'} restored.`,
    already > 0 && `${counted(already)} ${already === 1 ? 'exists' : 'exist'} already.`,
    missing > 0 && notRestored && `${counted(missing)} could not be restored: ${notRestored}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
