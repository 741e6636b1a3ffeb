import { activity, activityList } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The log of the organization, newest first, as far as the caller may see it. */
export const activitySource = defineListSource({
  route: '/dashboard/activity',
  noun: 'activity',
  list: activityList,
  calls: { list: activity.list, facets: activity.facets, export: activity.export },
  rows: (reply) => reply.activity,
});
export type ActivitySearch = StateOf<typeof activitySource>;
