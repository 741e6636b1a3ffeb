import { editableColumns } from '@riskboard/contract';
import { newId, type OrganizationTransaction, setScoreContext, versionInTrash } from '@riskboard/db';
import { changesOf, formatCount } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import {
  changedColumns,
  type Columns,
  columnsOf,
  fieldsOf,
  nextVersion,
  type Values,
} from '../lib/columns.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import type { SentFields } from '../lib/http/sent-fields.ts';
import type { EntityRules, FullEntity } from './entity-rules.ts';
import { listedTexts, presentDetail } from './present.ts';

interface Context<Full extends FullEntity> {
  trx: OrganizationTransaction;
  rules: EntityRules<Full>;
}

/** The columns that a body sets, those that follow from them included. */
function columnsToSet<Full extends FullEntity>(
  { entity, derivedColumns }: EntityRules<Full>,
  body: Values,
  now: Values | undefined,
): Values {
  const input = columnsOf(editableColumns(entity.fields), body);
  return { ...input, ...derivedColumns?.(input, now) };
}

/** Ids in the spelling of the database, so that two spellings of one id count once. */
const relatedOf = (body: Values): string[] | undefined =>
  (body['relatedAssets'] as string[] | undefined)?.map((id) => id.toLowerCase());

interface Creation {
  caller: Caller;
  body: Values;
  /** The id that the request's `Idempotency-Key` gives. */
  keyedId: string | undefined;
}

/**
 * Creates a record from what a user entered. A repeat with the same key returns the record that exists.
 * @throws Failure 422; 409 when the record of the key was deleted since
 */
export async function createEntity<Full extends FullEntity>(
  { trx, rules }: Context<Full>,
  { caller, body, keyedId }: Creation,
): Promise<{ record: Full; created: boolean }> {
  const { entity } = rules;
  await rules.lock(trx, { id: undefined, body });
  await rules.check?.(trx, { id: undefined, before: undefined, body });
  const id = keyedId ?? newId();
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto(entity.table as 'asset')
    .values({
      organization_id: caller.organizationId,
      id,
      created_by: caller.accountId,
      updated_by: caller.accountId,
      ...columnsToSet(rules, body, undefined),
    } as never)
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .executeTakeFirstOrThrow();
  // After the insertion, which waits for a deletion that has not ended.
  if (keyedId !== undefined && (await versionInTrash(trx, entity.table, id)) !== undefined)
    throw new Failure('conflict', `This ${entity.one} was created before and has been deleted since.`);
  if (inserted === 0n) return { record: await rules.find(trx, id), created: false };
  const related = relatedOf(body);
  if (related) await setScoreContext(trx, { by: caller.accountId });
  if (related) await rules.relate?.(trx, id, related);
  const full = await rules.find(trx, id);
  const detail = rules.creationDetail?.(full);
  await recordActivity(trx, caller, {
    action: `${entity.table}.created`,
    nounId: id,
    name: full.row.name,
    ...(detail && { detail }),
  });
  return { record: full, created: true };
}

/**
 * The fields of a change: a value that equals the one that the API shows becomes the stored one, so that it is no change
 * where reading it as input alters it or refuses it, or where a list shortens it.
 * @throws Failure 422
 */
function fieldsToSet<Full extends FullEntity>(
  rules: EntityRules<Full>,
  before: Full,
  sent: SentFields,
): Values {
  const shown = presentDetail(rules, before);
  const { body, same } = sent.read([shown, listedTexts(rules.entity, shown)]);
  const columns: Columns = editableColumns(rules.entity.fields);
  const stored = Object.entries(columns).filter(([field]) => same.includes(field));
  return {
    ...body,
    ...Object.fromEntries(stored.map(([field, column]) => [field, before.row[column] ?? null])),
  };
}

/**
 * The related assets that a change sets; undefined when it sends the list that the record shows.
 * @throws Failure 422 when there are more than the record shows: a list of those would remove the others
 */
function relatedToSet<Full extends FullEntity>(
  { entity }: EntityRules<Full>,
  { relatedAssets: shown = [], relatedAssetTotal: total = 0 }: Full,
  body: Values,
): string[] | undefined {
  const assets = relatedOf(body);
  if (assets === undefined || total <= shown.length) return assets;
  const known = new Set(shown.map(({ _id }) => _id));
  if (assets.length === known.size && assets.every((id) => known.has(id))) return undefined;
  const way = entity.table === 'asset' ? 'a CSV import' : 'a bulk edit';
  throw invalidField(
    'relatedAssets',
    `Only ${formatCount(shown.length)} of the ${formatCount(total)} related assets are shown, and this list would remove the others. Change them with ${way}.`,
  );
}

/**
 * Changes the fields that the request names. A change that changes nothing leaves the version as it is.
 * @throws Failure 404, 412, 422
 */
export async function updateEntity<Full extends FullEntity>(
  { trx, rules }: Context<Full>,
  { id, caller, sent, request }: { id: string; caller: Caller; sent: SentFields; request: FastifyRequest },
): Promise<{ record: Full; before: Full; changed: boolean }> {
  const { entity } = rules;
  await rules.lock(trx, { id, body: sent.values });
  const before = await rules.find(trx, id);
  requireVersion(request, { version: before.row.version, changedBy: lastChanger(before) });
  const body = fieldsToSet(rules, before, sent);
  await rules.check?.(trx, { id: before.row.id, before, body });
  const changed = changedColumns(columnsToSet(rules, body, before.row), before.row);
  const assets = relatedToSet(rules, before, body);
  if (assets) await setScoreContext(trx, { by: caller.accountId });
  const related = (assets && (await rules.relate?.(trx, before.row.id, assets))) ?? false;
  if (Object.keys(changed).length === 0 && !related) return { record: before, before, changed: false };
  await trx
    .updateTable(entity.table as 'asset')
    .set({
      ...changed,
      ...(await rules.updateColumns?.(trx, before, {
        columns: changed,
        related: related ? assets : undefined,
      })),
      ...nextVersion(caller),
    } as never)
    .where('id', '=', before.row.id)
    .execute();
  const record = await rules.find(trx, id);
  await recordActivity(trx, caller, {
    action: `${entity.table}.updated`,
    nounId: before.row.id,
    name: record.row.name,
    detail: { changes: changesBetween(rules, before, record) },
  });
  return { record, before, changed: true };
}

/** Field by field; related assets by name. */
export function changesBetween<Full extends FullEntity>(
  { entity, loggedValues }: EntityRules<Full>,
  before: Full,
  after: Full,
) {
  const logged = (full: Full): Values => ({
    ...fieldsOf(editableColumns(entity.fields), full.row),
    ...loggedValues?.(full),
    ...(full.relatedAssets && { relatedAssets: full.relatedAssets.map((asset) => asset.name).join(', ') }),
  });
  const now = logged(after);
  return changesOf(logged(before), now, Object.keys(now));
}

/** For the message to a user whose version is stale. Only reports change a record without an account. */
export const lastChanger = ({ row, updatedBy }: FullEntity): string =>
  row['updated_by'] === null && 'source_file' in row ? 'A report' : updatedBy;
