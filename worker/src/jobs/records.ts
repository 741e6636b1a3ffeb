import type { JobKind, OrganizationEvent } from '@riskboard/contract';
import { actorOf } from '@riskboard/domain';
import {
  type BulkChange,
  count,
  deleteRecords,
  newId,
  type OrganizationTransaction,
  selected,
  threatSource,
  updateRecords,
  vulnerabilitySource,
  withOrganization,
} from '@riskboard/db';
import { sql } from 'kysely';
import type { JobContext, JobHandler } from './context.ts';

type Bulk = 'records.delete' | 'records.update';

const nouns = {
  vulnerabilities: { table: 'vulnerability', source: vulnerabilitySource, event: 'vulnerability.changed' },
  threats: { table: 'threat', source: threatSource, event: 'threat.changed' },
} as const;

/** Deletes what was selected. All of it in one transaction, or nothing; it can be brought back. */
export const recordsDelete: JobHandler<'records.delete'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { table } = nouns[context.payload.noun];
    const where = await begin(trx, context, 'deleting');
    const gone = await deleteRecords(trx, { table, where, by: context.job.created_by });
    const ids = gone.map((record) => record.id);
    context.signal.throwIfAborted();
    await record(trx, context, { verb: 'deleted', ids, detail: {} });
    await context.finish(trx, { matched: ids.length, changed: ids.length, unchanged: 0 });
    return told(context, 'deleted', ids);
  });

/** Sets the same on everything that was selected. All of it in one transaction, or nothing. */
export const recordsUpdate: JobHandler<'records.update'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { table } = nouns[context.payload.noun];
    const where = await begin(trx, context, 'changing');
    const change = context.payload.change as unknown as BulkChange;
    const { matched, changed } = await updateRecords(trx, {
      table,
      where,
      change,
      by: context.job.created_by,
    });
    context.signal.throwIfAborted();
    await record(trx, context, { verb: 'updated-many', ids: changed, detail: { set: change.columns } });
    await context.finish(trx, { matched, changed: changed.length, unchanged: matched - changed.length });
    return told(context, 'updated', changed);
  });

async function begin(trx: OrganizationTransaction, context: JobContext<Bulk>, phase: string) {
  const { noun, ids, filter } = context.payload;
  const { source } = nouns[noun];
  // What came after somebody said "all of these" is none of these.
  const where = sql<boolean>`${selected(source, { ids, filter })} and r.created_at <= (
    select created_at from job where organization_id = current_organization() and id = ${context.job.id})`;
  context.progress({ phase: `${phase} ${noun}`, done: 0, total: await count(trx, source, where) });
  return where;
}

async function record(
  trx: OrganizationTransaction,
  { job, payload, organizationId }: JobContext<Bulk>,
  { verb, ids, detail }: { verb: string; ids: string[]; detail: Record<string, unknown> },
): Promise<void> {
  if (ids.length === 0) return;
  const { noun } = payload;
  const actor = job.created_by
    ? await trx
        .selectFrom('account')
        .select(['first_name as firstName', 'last_name as lastName', 'email'])
        .where('id', '=', job.created_by)
        .executeTakeFirst()
    : undefined;
  await trx
    .insertInto('activity')
    .values({
      id: newId(),
      organization_id: organizationId,
      account_id: job.created_by,
      actor: actor ? actorOf(actor) : '',
      action: `${nouns[noun].table}.${verb}`,
      noun,
      noun_id: null,
      name: `${ids.length.toLocaleString('en-US')} ${ids.length === 1 ? nouns[noun].table : noun}`,
      detail: JSON.stringify({ ...detail, count: ids.length }),
    })
    .execute();
}

/** Ids travel with an event up to this many (contract, Jobs and events). */
const idsShown = 100;

function told(
  { job, payload }: JobContext<JobKind & Bulk>,
  action: 'deleted' | 'updated',
  ids: string[],
): OrganizationEvent[] {
  const shown = ids.length <= idsShown ? { ids } : {};
  return [{ type: nouns[payload.noun].event, action, by: job.created_by, count: ids.length, ...shown }];
}
