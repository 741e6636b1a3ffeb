import { activityNouns } from '@riskboard/contract';
import { listSearch, queryOf } from '../../lib/list-search.ts';
import { day, id, oneOf, only, string } from '../../lib/search-schema.ts';

/** State of the activity log in the address; `from` and `to` are days in the reader's time zone. */
export const activitySearch = listSearch(['at'], '-at', {
  noun: oneOf(activityNouns),
  action: only(string, (action) => action.length <= 60),
  actorId: id,
  nounId: id,
  from: day,
  to: day,
});
export type ActivitySearch = ReturnType<typeof activitySearch.parse>;

/** No filter at all; the sorting and the size of a page are none. */
export const unfiltered = {
  page: 1,
  search: '',
  noun: undefined,
  action: undefined,
  actorId: undefined,
  nounId: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<ActivitySearch>;

export const isFiltered = (search: ActivitySearch): boolean =>
  search.search !== '' ||
  (['noun', 'action', 'actorId', 'nounId', 'from', 'to'] as const).some(
    (filter) => search[filter] !== undefined,
  );

/** Midnight at which a day begins, or the one so many days later: days are 23 to 25 hours long. */
function midnight(day: string, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}

/** What the server is asked: days become moments, the last one as a whole. */
export function activityQueryOf({ from, to, ...search }: ActivitySearch) {
  return {
    ...queryOf(search),
    ...(from !== undefined && { atMin: midnight(from).toISOString() }),
    ...(to !== undefined && { atMax: new Date(midnight(to, 1).getTime() - 1).toISOString() }),
  };
}

/** The same for the export, which knows neither pages nor sorting. */
export function exportQueryOf(search: ActivitySearch) {
  const { page: _page, pageSize: _pageSize, sort: _sort, ...filters } = activityQueryOf(search);
  return filters;
}
