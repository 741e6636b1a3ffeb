import type { activity, Call, Role } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { limits } from '../lib/page.ts';
import { columnsFor, presentEntry } from './present.ts';
import { filtered, matches } from './select-entries.ts';

type Query = Call<typeof activity.list>['query'];

/**
 * Entries that a search looks at, the newest under the other filters: a log grows for years, and no index helps to
 * find a text inside another. Whoever needs to look further back names a time.
 */
export const searchReach = 100_000;

/** The oldest moment that a search looks at; null when it looks at everything. */
async function horizonOf(trx: OrganizationTransaction, role: Role, query: Query): Promise<string | null> {
  if (!query.search) return null;
  const last = await filtered(trx, role, query)
    .select('at')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(searchReach)
    .limit(1)
    .executeTakeFirst();
  return last?.at.toISOString() ?? null;
}

/** One page of the log, as far as this role may see it. */
export async function listActivity(trx: OrganizationTransaction, role: Role, query: Query) {
  const { search = '' } = query;
  const searchedSince = await horizonOf(trx, role, query);
  const direction = query.sort.startsWith('-') ? 'desc' : 'asc';
  const found = filtered(trx, role, { ...query, atMin: searchedSince ?? query.atMin }).$if(
    search !== '',
    (entries) => entries.where(matches(role, search)),
  );
  const { limit, offset } = limits(query);
  const rows = await found
    .select(columnsFor(role))
    .orderBy('at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    activity: rows.map(presentEntry),
    searchedSince,
    total,
    page: query.page,
    pageSize: query.pageSize,
  };
}
