import { type Change, changesOf } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Former values of a field that are told; of more it is enough to know that there were others. */
export const formerShown = 5;

/** What a bulk edit did so far. */
export interface Moves {
  /** What each field that changed was before: different values, at most one more than are told. */
  former: ReadonlyMap<string, Set<unknown>>;
  /** Ids of assets that were tied to any record, or untied from any. */
  tied: Set<string>;
  untied: Set<string>;
}

/**
 * A bulk edit as the log tells it, field by field as people know them: what it was, where all had the same; else the
 * values there were. Assets by name.
 */
export async function bulkChanges(
  trx: OrganizationTransaction,
  { former, tied, untied }: Moves,
  now: Readonly<Record<string, unknown>>,
): Promise<Record<string, Change>> {
  const before = {
    ...Object.fromEntries([...former].map(([field, values]) => [field, told([...values])])),
    addedAssets: '',
    removedAssets: await namesOf(trx, untied),
  };
  const after = { ...now, addedAssets: await namesOf(trx, tied), removedAssets: '' };
  return changesOf<Record<string, unknown>>(before, after, [
    ...former.keys(),
    'addedAssets',
    'removedAssets',
  ]);
}

function told(values: readonly unknown[]): unknown {
  if (values.length <= 1) return values[0];
  return values.length > formerShown ? [...values.slice(0, formerShown), '…'] : values;
}

async function namesOf(trx: OrganizationTransaction, ids: ReadonlySet<string>): Promise<string> {
  if (ids.size === 0) return '';
  const { rows } = await sql<{ name: string }>`
    select name from asset where organization_id = current_organization() and id = any (${[...ids]}::uuid[])
    order by name, id`.execute(trx);
  return rows.map((row) => row.name).join(', ');
}
