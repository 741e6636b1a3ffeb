import { activityList, activityNouns, ownerNouns, type Role } from '@riskboard/contract';
import { sql } from 'kysely';
import type { ListSource } from './source.ts';

const forOwners: ReadonlySet<string> = new Set(ownerNouns);
/** Named one by one: a noun that is new is for owners until it stands in the contract. */
const forEveryone = activityNouns.filter((noun) => !forOwners.has(noun)).map((noun) => `'${noun}'`);

const columns = 'organization_id, id, at, actor, account_id, action, noun, noun_id, name, via, detail';

/** From where somebody came is for owners: others get it neither shown nor by searching or counting it. */
const visible = {
  owner: `(select ${columns}, address from activity) r`,
  everyone: `(select ${columns}, '' as address from activity where noun in (${forEveryone.join(', ')})) r`,
} as const;

const sourceOver = (from: string): ListSource<typeof activityList.fields> => ({
  fields: activityList.fields,
  from,
  columns: {
    at: { sql: 'r.at', type: 'timestamptz', required: true },
    actor: { sql: 'r.actor', type: 'text' },
    actorId: { sql: 'r.account_id', type: 'uuid', called: { sql: 'r.actor', at: 'r.at' } },
    via: { sql: 'r.via', type: 'text', required: true },
    address: { sql: 'r.address', type: 'text' },
    action: { sql: 'r.action', type: 'text', required: true },
    noun: { sql: 'r.noun', type: 'text', required: true },
    nounId: { sql: 'r.noun_id', type: 'uuid', called: { sql: 'r.name', at: 'r.at' } },
    name: { sql: 'r.name', type: 'text' },
    detail: { sql: 'r.detail', type: 'text' },
  },
  // Search runs over what a row shows: who, what, to what; for owners also from where.
  search: (pattern) => sql<boolean>`(r.name ilike ${pattern} or r.actor ilike ${pattern}
    or r.action ilike ${pattern} or r.address ilike ${pattern})`,
  extra: {
    /** How far back a search looks: it bounds every column alike, as `atMin` does not bound its own facet. */
    horizon: (moment) => sql<boolean>`r.at >= ${moment}::timestamptz`,
  },
});

const owner = sourceOver(visible.owner);
const everyone = sourceOver(visible.everyone);

/** The log as far as a role may see it: the only road to its rows. */
export const activitySource = (role: Role): ListSource<typeof activityList.fields> =>
  role === 'owner' ? owner : everyone;
