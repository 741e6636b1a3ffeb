import type { activity, Call, Facets, Role } from '@riskboard/contract';
import { activitySource, facetsOf, type OrganizationTransaction, whereOf } from '@riskboard/db';
import { sql } from 'kysely';
import { showPage } from '../lib/list.ts';
import { presentEntry } from './present.ts';

type Query = Call<typeof activity.list>['query'];
type FacetsQuery = Call<typeof activity.facets>['query'];

/**
 * Number of the newest matching entries that a text search reads: the log grows for years and no index supports
 * substring search. A time filter searches further back.
 */
export const searchReach = 100_000;

/** Time of the oldest entry that a search reads; null when it reads all of them. */
async function horizonOf(
  trx: OrganizationTransaction,
  role: Role,
  query: Query | FacetsQuery,
): Promise<string | null> {
  if (!query.search) return null;
  const source = activitySource(role);
  const { rows } = await sql<{ at: Date }>`
    select r.at from ${sql.raw(source.from)} where ${whereOf(source, { ...query, search: undefined })}
    order by r.at desc, r.id desc offset ${searchReach} limit 1`.execute(trx);
  return rows[0]?.at.toISOString() ?? null;
}

/** The query with the time limit of its search. */
async function bounded<Q extends Query | FacetsQuery>(trx: OrganizationTransaction, role: Role, query: Q) {
  const searchedSince = await horizonOf(trx, role, query);
  return { searchedSince, limited: { ...query, ...(searchedSince !== null && { horizon: searchedSince }) } };
}

/** One page of the log, limited to what the role may see. @throws Failure 422 for a cursor of another list */
export async function listActivity(trx: OrganizationTransaction, role: Role, query: Query) {
  const { searchedSince, limited } = await bounded(trx, role, query);
  const { rows, ...page } = await showPage(trx, activitySource(role), {
    query: limited,
    present: presentEntry,
  });
  return { activity: rows, searchedSince, ...page };
}

/** Values and counts of each filterable field, limited to what the role may see. */
export async function activityFacets(
  trx: OrganizationTransaction,
  role: Role,
  query: FacetsQuery,
): Promise<Facets> {
  const { limited } = await bounded(trx, role, query);
  return facetsOf(trx, activitySource(role), limited);
}
