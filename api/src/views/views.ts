import { formatCount } from '@riskboard/domain';
import type { Call, SavedView, views } from '@riskboard/contract';
import { lockMembership, newId, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';

/** Maximum number of views of one list per user. */
const mostViews = 100;

const selectViews = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('saved_view')
    .innerJoin('account', 'account.id', 'saved_view.account_id')
    .selectAll('saved_view')
    .select(sql<string>`trim(account.first_name || ' ' || account.last_name)`.as('owner'));

type ViewRow = Awaited<ReturnType<ReturnType<typeof selectViews>['executeTakeFirstOrThrow']>>;

const presentView = (row: ViewRow, caller: Caller): SavedView => {
  const own = row.account_id === caller.accountId;
  return {
    _id: row.id,
    list: row.list,
    name: row.name,
    search: row.search,
    // Defaults apply only to their owner.
    isDefault: own && row.is_default,
    own,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
  };
};

/** The caller's own views of a list by name, and the view whose link the caller opened. */
export async function listViews(
  trx: OrganizationTransaction,
  caller: Caller,
  { list, _id }: Call<typeof views.list>['query'],
): Promise<SavedView[]> {
  const rows = await selectViews(trx)
    .where('list', '=', list)
    .where((eb) =>
      eb.or([eb('account_id', '=', caller.accountId), ...(_id ? [eb('saved_view.id', '=', _id)] : [])]),
    )
    .orderBy(sql`lower(name)`)
    .orderBy('saved_view.id')
    .execute();
  return rows.map((row) => presentView(row, caller));
}

/** The caller's own view. @throws Failure 404, also for a view of another user */
async function ownView(trx: OrganizationTransaction, caller: Caller, id: string): Promise<ViewRow> {
  const row = await selectViews(trx)
    .where('saved_view.id', '=', id)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'This view does not exist.');
  return row;
}

/** A list has at most one default view per user. */
const clearDefault = (trx: OrganizationTransaction, { accountId }: Caller, list: string) =>
  trx
    .updateTable('saved_view')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where('is_default', '=', true)
    .execute();

/**
 * Saves a view; with the id of a deleted one it restores that, so that links to it work again. A view of the caller that
 * was restored already stays as it is. @throws Failure 409 when the id is in use, 422 when there are too many views already
 */
export async function createView(
  trx: OrganizationTransaction,
  caller: Caller,
  { list, name, search, isDefault, _id }: Call<typeof views.create>['body'],
): Promise<SavedView> {
  // Two defaults at once would violate the unique index.
  await lockMembership(trx, caller.accountId);
  const kept = await listViews(trx, caller, { list });
  const restored = kept.find((view) => view._id === _id);
  if (restored !== undefined) return restored;
  if (kept.length >= mostViews)
    throw invalidField('name', `A list has at most ${formatCount(mostViews)} views. Delete one first.`);
  if (isDefault) await clearDefault(trx, caller, list);
  const id = _id ?? newId();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('saved_view')
    .values({
      organization_id: caller.organizationId,
      id,
      account_id: caller.accountId,
      list,
      name,
      search: JSON.stringify(search),
      is_default: isDefault,
    })
    .onConflict((key) => key.columns(['organization_id', 'id']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Failure('conflict', 'Another view has this id.');
  return presentView(await ownView(trx, caller, id), caller);
}

/** @throws Failure 404 */
export async function updateView(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, change }: { id: string; change: Call<typeof views.update>['body'] },
): Promise<SavedView> {
  await lockMembership(trx, caller.accountId);
  const { list } = await ownView(trx, caller, id);
  if (change.isDefault) await clearDefault(trx, caller, list);
  const set = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.search === undefined ? {} : { search: JSON.stringify(change.search) }),
    ...(change.isDefault === undefined ? {} : { is_default: change.isDefault }),
  };
  if (Object.keys(set).length > 0)
    await trx.updateTable('saved_view').set(set).where('id', '=', id).execute();
  return presentView(await ownView(trx, caller, id), caller);
}

/** @throws Failure 404 */
export async function deleteView(trx: OrganizationTransaction, caller: Caller, id: string): Promise<void> {
  await ownView(trx, caller, id);
  await trx.deleteFrom('saved_view').where('id', '=', id).execute();
}
