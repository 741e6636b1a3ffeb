import { type Change, changesOf, formatCount } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Former values of a field in the activity log; more are shown as '…'. */
export const formerShown = 5;

/** What a bulk edit changed so far. */
export interface Moves {
  /** The different former values of each changed field, at most one more than are shown. */
  former: ReadonlyMap<string, Set<unknown>>;
  /** Ids of the assets that any record was related to, or no longer is. */
  related: Set<string>;
  unrelated: Set<string>;
}

/** A bulk edit for the activity log, by field name: the former value, or the former values; assets by name. */
export async function bulkChanges(
  trx: OrganizationTransaction,
  { former, related, unrelated }: Moves,
  now: Readonly<Record<string, unknown>>,
): Promise<Record<string, Change>> {
  const before = {
    ...Object.fromEntries([...former].map(([field, values]) => [field, shown([...values])])),
    addedAssets: '',
    removedAssets: await namesOf(trx, 'asset', unrelated),
  };
  const after = { ...now, addedAssets: await namesOf(trx, 'asset', related), removedAssets: '' };
  return changesOf<Record<string, unknown>>(before, after, [
    ...former.keys(),
    'addedAssets',
    'removedAssets',
  ]);
}

function shown(values: readonly unknown[]): unknown {
  if (values.length <= 1) return values[0];
  return values.length > formerShown ? [...values.slice(0, formerShown), '…'] : values;
}

/** Names in a text of the activity log; others are counted. */
const namesShown = 100;

/** The names of these rows in their order, as the activity log shows them. */
export async function namesOf(
  trx: OrganizationTransaction,
  table: 'asset' | 'threat' | 'vulnerability',
  ids: ReadonlySet<string>,
): Promise<string> {
  if (ids.size === 0) return '';
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(table)} where organization_id = current_organization() and id = any (${[...ids]}::uuid[])
    order by name, id limit ${namesShown}`.execute(trx);
  const others = ids.size - rows.length;
  return [...rows.map((row) => row.name), ...(others > 0 ? [`${formatCount(others)} more`] : [])].join(', ');
}
