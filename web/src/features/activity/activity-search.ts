import { activityNouns, Id } from '@riskboard/contract';
import { z } from 'zod';
import { listSearch, queryOf } from '../../lib/list-search.ts';

/** A day of the calendar, as a date box writes it; years that are still being typed are none. */
export const Day = z.iso.date().refine((day) => day >= '1970');

/** State of the activity log in the address; `from` and `to` are days in the reader's time zone. */
export const activitySearch = listSearch(['at'], '-at').extend({
  noun: z.enum(activityNouns).optional().catch(undefined),
  action: z.string().max(60).optional().catch(undefined),
  actorId: Id.optional().catch(undefined),
  nounId: Id.optional().catch(undefined),
  from: Day.optional().catch(undefined),
  to: Day.optional().catch(undefined),
});
export type ActivitySearch = z.infer<typeof activitySearch>;

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
