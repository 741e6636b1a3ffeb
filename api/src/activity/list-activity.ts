import type { activity, Call, Facets, Role } from '@riskboard/contract';
import { activitySource, facetsOf, type OrganizationTransaction, whereOf } from '@riskboard/db';
import { sql } from 'kysely';
import { showPage } from '../lib/list.ts';
import { presentEntry } from './present.ts';

type Query = Call<typeof activity.list>['query'];
type FacetsQuery = Call<typeof activity.facets>['query'];

/**
 * Entries that a search looks at, the newest under the other filters: a log grows for years, and no index helps to
 * find a text inside another. Whoever needs to look further back names a time.
 */
export const searchReach = 100_000;

/** The oldest moment that a search looks at; null when it looks at everything. */
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

/** The query, and how far back its search looks. */
async function bounded<Q extends Query | FacetsQuery>(trx: OrganizationTransaction, role: Role, query: Q) {
  const searchedSince = await horizonOf(trx, role, query);
  return { searchedSince, asked: { ...query, ...(searchedSince !== null && { horizon: searchedSince }) } };
}

/** One page of the log, as far as this role may see it. @throws Failure 422 for a cursor that is not of this list */
export async function listActivity(trx: OrganizationTransaction, role: Role, query: Query) {
  const { searchedSince, asked } = await bounded(trx, role, query);
  const { rows, ...page } = await showPage(trx, activitySource(role), {
    query: asked,
    present: presentEntry,
  });
  return { activity: rows, searchedSince, ...page };
}

/** What the log holds of each field, as far as this role may see it. */
export async function activityFacets(
  trx: OrganizationTransaction,
  role: Role,
  query: FacetsQuery,
): Promise<Facets> {
  const { asked } = await bounded(trx, role, query);
  return facetsOf(trx, activitySource(role), asked);
}
