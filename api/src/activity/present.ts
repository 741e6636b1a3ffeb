import type { ActivityEntry, Role } from '@riskboard/contract';
import type { ActivityTable } from '@riskboard/db';
import type { Selectable } from 'kysely';
import { addressFor } from './select-entries.ts';

/** Columns of an entry as this role sees them. */
export const columnsFor = (role: Role) =>
  [
    'id',
    'at',
    'actor',
    'account_id',
    'action',
    'noun',
    'noun_id',
    'name',
    'via',
    'detail',
    addressFor(role).as('address'),
  ] as const;

type EntryRow = Omit<Selectable<ActivityTable>, 'organization_id'>;

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
