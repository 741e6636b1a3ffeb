import type { ActivityEntry } from '@riskboard/contract';
import type { ActivityTable } from '@riskboard/db';
import type { Selectable } from 'kysely';

/** Row of an entry from the source of the caller's role; the address is empty unless the caller is an owner. */
export type EntryRow = Omit<Selectable<ActivityTable>, 'organization_id'>;

/** Presents an entry's row as in the contract. */
export const presentEntry = (row: EntryRow): ActivityEntry => ({
  _id: row.id,
  at: row.at.toISOString(),
  actor: row.actor,
  actorId: row.account_id,
  action: row.action,
  noun: row.noun,
  nounId: row.noun_id,
  name: row.name,
  address: row.address,
  via: row.via,
  detail: row.detail,
});
