import type { ActivityEntry } from '@riskboard/contract';
import type { ActivityTable } from '@riskboard/db';
import type { Selectable } from 'kysely';

/** An entry's row, as the source of the caller's role gives it: the address of others than owners' is empty. */
export type EntryRow = Omit<Selectable<ActivityTable>, 'organization_id'>;

/** The only road from an entry's row to the wire. */
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
