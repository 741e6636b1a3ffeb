import { lockAssetsShared, missingAssets, newId, relatedAssetsField, setAssets } from '@riskboard/db';
import { changesOf } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { changedColumns, columnsOf, fieldsOf, nextVersion } from '../lib/columns.ts';
import { invalidField } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import { findRecord, type FullRecord, lockRecord } from './find.ts';
import { type RecordContext, type RecordRow, type Values, withCompanions } from './kind.ts';

interface Asked {
  caller: Caller;
  body: Values & { relatedAssets?: string[] | undefined };
}

/** The columns that a body sets, those that follow from them included. */
function columnsToSet({ kind }: RecordContext, body: Values, now: Values | undefined): Values {
  const asked = columnsOf(kind.columns, body);
  return { ...asked, ...kind.derive(asked, now) };
}

/**
 * They stay until the end of the transaction. To be asked before any row is locked.
 * @throws Failure 422 on `field` when one of them is not an asset of this organisation
 */
export async function requireAssets(
  { trx }: RecordContext,
  ids: readonly string[] | undefined,
  field = 'relatedAssets',
): Promise<void> {
  if (ids === undefined) return;
  await lockAssetsShared(trx);
  const missing = await missingAssets(trx, ids);
  if (missing.length > 0) throw invalidField(field, 'One of the related assets does not exist.');
}

/** Makes a record by hand. */
export async function createRecord(context: RecordContext, { caller, body }: Asked): Promise<FullRecord> {
  const { trx, kind } = context;
  await requireAssets(context, body.relatedAssets);
  const id = newId();
  const values = columnsToSet(context, body, undefined);
  await trx
    .insertInto(kind.table)
    .values({
      organization_id: caller.organizationId,
      id,
      created_by: caller.accountId,
      updated_by: caller.accountId,
      ...values,
    } as never)
    .execute();
  if (body.relatedAssets) await setAssets(trx, { table: kind.table, id, assets: body.relatedAssets });
  await recordActivity(trx, caller, {
    action: `${kind.table}.created`,
    noun: kind.noun,
    nounId: id,
    name: String(values['name']),
  });
  return findRecord(context, id);
}

/**
 * Changes what is given. On an imported record every changed field becomes a person's: extractions leave it alone.
 * A change that changes nothing leaves the version as it is.
 * @throws Failure 404, 412, 422
 */
export async function updateRecord(
  context: RecordContext,
  { id, caller, body, request }: Asked & { id: string; request: FastifyRequest },
): Promise<{ record: FullRecord; changed: boolean }> {
  const { trx, kind } = context;
  if (body.relatedAssets) await lockAssetsShared(trx);
  const now = await lockRecord(context, id);
  const before = await findRecord(context, id);
  requireVersion(request, { version: now.version, changedBy: lastChanger(before) });
  await requireAssets(context, body.relatedAssets);
  const asked = columnsToSet(context, body, now);
  const changed = changedColumns(asked, now);
  const related = body.relatedAssets
    ? await setAssets(trx, { table: kind.table, id, assets: body.relatedAssets })
    : false;
  if (Object.keys(changed).length === 0 && !related) return { record: before, changed: false };
  await trx
    .updateTable(kind.table)
    .set({
      ...changed,
      edited_fields: editedFields(context, now, [
        ...Object.keys(changed),
        ...(related ? [relatedAssetsField] : []),
      ]),
      ...nextVersion(caller),
    } as never)
    .where('id', '=', id)
    .execute();
  const record = await findRecord(context, id);
  await recordActivity(trx, caller, {
    action: `${kind.table}.updated`,
    noun: kind.noun,
    nounId: id,
    name: record.row.name,
    detail: { changes: changesBetween(context, before, record) },
  });
  return { record, changed: true };
}

/** Field by field, as people know them; related assets by name. */
export function changesBetween({ kind }: RecordContext, before: FullRecord, after: FullRecord) {
  const named = ({ row, relatedAssets }: FullRecord): Values => ({
    ...fieldsOf(kind.columns, row),
    relatedAssets: relatedAssets.map((asset) => asset.name).join(', '),
  });
  return changesOf(named(before), named(after), [...Object.keys(kind.columns), 'relatedAssets']);
}

/** For whoever is told that theirs was not the newest version. */
const lastChanger = ({ row, updatedBy }: FullRecord): string =>
  row['updated_by'] === null ? 'A report' : updatedBy;

/** What a person made is theirs anyway; of what a report gave, these fields are from now on. */
function editedFields({ kind }: RecordContext, now: RecordRow, changed: string[]): string[] {
  if (now.key === null) return now.edited_fields;
  return [...new Set([...now.edited_fields, ...withCompanions(kind, changed)])];
}
