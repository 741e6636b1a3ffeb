import { activity, activityList } from '@riskboard/contract';
import { id } from '../../lib/list/search-schema.ts';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The activity log, newest first, limited to what the user may see. */
export const activitySource = defineListSource({
  route: '/dashboard/activity',
  noun: 'activity',
  list: activityList,
  calls: { list: activity.list, facets: activity.facets, export: activity.export },
  rows: (reply) => reply.activity,
  extra: { projectId: id },
});
export type ActivitySearch = StateOf<typeof activitySource>;
