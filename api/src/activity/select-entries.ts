import { type activity, activityNouns, type Call, ownerNouns, type Role } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { contains, many } from '../lib/page.ts';

/** What the list and the export are narrowed by. */
export type Filter = Call<typeof activity.export>['query'];

const forOwners: ReadonlySet<string> = new Set(ownerNouns);
/** Named one by one: a noun that is new is for owners until it stands in the contract. */
const forEveryone = activityNouns.filter((noun) => !forOwners.has(noun));

const isOwner = (role: Role): boolean => role === 'owner';

/** The entries that a role may see at all: the only road to the log's rows. */
export const visibleTo = (trx: OrganizationTransaction, role: Role) =>
  trx.selectFrom('activity').$if(!isOwner(role), (entries) => entries.where('noun', 'in', forEveryone));

/** From where somebody came is for owners: others get it neither shown nor by searching for it. */
export const addressFor = (role: Role) => (isOwner(role) ? sql<string>`address` : sql<string>`''`);

/** Everything but the search, which the list bounds. */
export function filtered(trx: OrganizationTransaction, role: Role, filter: Filter) {
  const nouns = many(filter.noun);
  const actions = many(filter.action);
  const actors = many(filter.actorId);
  return (
    visibleTo(trx, role)
      .$if(nouns.length > 0, (entries) => entries.where('noun', 'in', nouns))
      .$if(actions.length > 0, (entries) => entries.where('action', 'in', actions))
      .$if(actors.length > 0, (entries) => entries.where('account_id', 'in', actors))
      .$if(filter.nounId !== undefined, (entries) => entries.where('noun_id', '=', filter.nounId ?? ''))
      .$if(filter.atMin !== undefined, (entries) =>
        entries.where(sql<boolean>`at >= ${filter.atMin}::timestamptz`),
      )
      // Moments are told in milliseconds and kept in microseconds: the whole millisecond is asked for.
      .$if(filter.atMax !== undefined, (entries) =>
        entries.where(sql<boolean>`at < ${filter.atMax}::timestamptz + interval '1 millisecond'`),
      )
  );
}

/** Search runs over what a row shows: who, what, to what; for owners also from where. */
export function matches(role: Role, search: string) {
  const pattern = contains(search);
  return sql<boolean>`(name ilike ${pattern} or actor ilike ${pattern} or action ilike ${pattern}
    or ${addressFor(role)} ilike ${pattern})`;
}
