import { activityList, activityNouns, type ListField, ownerNouns, type Role } from '@riskboard/contract';
import { sql } from 'kysely';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

const forOwners: ReadonlySet<string> = new Set(ownerNouns);
/** An allow list: a noun that the contract does not name is for owners only. */
const forEveryone = activityNouns.filter((noun) => !forOwners.has(noun));

const columns = 'organization_id, id, at, actor, account_id, action, noun, noun_id, name, via, detail';

/** Network addresses are for owners only: for others the column is empty, so that search and facets reveal none. */
const visible = {
  owner: `(select ${columns}, address from activity) r`,
  everyone: `(select ${columns}, '' as address from activity where noun in (${forEveryone.map((noun) => `'${noun}'`).join(', ')})) r`,
} as const;

/** The name of an entry may be a count with commas, such as '1,699 threats', that is searched without them. */
const orUngrouped = (pattern: string) =>
  /\d{4}/u.test(pattern)
    ? sql<boolean>` or regexp_replace(r.name, '(\\d),(?=\\d{3})', '\\1', 'g') ilike ${pattern}`
    : sql``;

/** Whether an entry is about a project or one of its assets; reads an asset for each entry. */
const isOfProject = (projectId: string) => sql<boolean>`(
  r.noun_id = ${projectId}::uuid
  or (select true from asset a
    where a.organization_id = current_organization() and a.id = r.noun_id and a.project_id = ${projectId}::uuid)
  or (select true from deleted_record d
    where d.organization_id = current_organization() and d.noun = 'asset' and d.id = r.noun_id
      and d.data ->> 'project_id' = ${projectId}))`;

type ActivityFields = Record<keyof typeof activityList.fields, ListField>;

const sourceOver = (from: string, nouns: readonly string[]): ListSource<ActivityFields> => ({
  fields: { ...activityList.fields, noun: { ...activityList.fields.noun, values: nouns } },
  from,
  // Ids first: entries about many objects are found in an index that contains all columns to sort by.
  shown: from,
  columns: {
    at: { sql: 'r.at', type: 'timestamptz', required: true },
    actor: { sql: 'r.actor', type: 'text' },
    actorId: { sql: 'r.account_id', type: 'uuid', label: { sql: 'r.actor', at: 'r.at' } },
    via: { sql: 'r.via', type: 'text', required: true },
    address: { sql: 'r.address', type: 'text' },
    action: { sql: 'r.action', type: 'text', required: true },
    noun: { sql: 'r.noun', type: 'text', required: true },
    nounId: { sql: 'r.noun_id', type: 'uuid', label: { sql: 'r.name', at: 'r.at' } },
    name: { sql: 'r.name', type: 'text' },
    detail: { sql: 'r.detail', type: 'text' },
  },
  cells: { detail: 'r.detail::text' },
  // Former and new texts of the changed fields. Only of compressed ones the text is read for its size.
  bytes: sql<number>`case when pg_column_compression(r.detail) is null then pg_column_size(r.detail)
    else octet_length(r.detail::text) end`,
  // Search covers what a row shows: actor, action, name; for owners also the address.
  search: (pattern) =>
    sql<boolean>`(${isAnyLike(['name', 'actor', 'action', 'address'], pattern)}${orUngrouped(pattern)})`,
  byRow: {
    projectId: isOfProject,
  },
  createdAt: 'r.at',
  newestBy: 'r.at',
  moving: ['horizon'],
  extra: {
    /** Entries about a project and its assets, also the deleted ones that can be restored. */
    projectId: (projectId) =>
      sql<boolean>`r.noun_id in (
        select ${projectId}::uuid
        union all select id from asset where organization_id = current_organization() and project_id = ${projectId}::uuid
        union all select id from deleted_record
          where organization_id = current_organization() and noun = 'asset' and data ->> 'project_id' = ${projectId})`,
    /** Oldest entry of a search. Unlike `atMin` it also bounds the facet of `at`. */
    horizon: (moment) => sql<boolean>`r.at >= ${moment}::timestamptz`,
  },
});

const owner = sourceOver(visible.owner, activityNouns);
const everyone = sourceOver(visible.everyone, forEveryone);

/** The activity entries that a role may read. Every query of the log must use it. */
export const activitySource = (role: Role): ListSource<ActivityFields> =>
  role === 'owner' ? owner : everyone;
