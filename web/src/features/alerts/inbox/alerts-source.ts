import { alertList, alerts } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** The inbox, newest first. */
export const alertsSource = defineListSource({
  route: '/dashboard/alerts',
  noun: 'alerts',
  list: alertList,
  calls: { list: alerts.list },
  rows: (reply) => reply.alerts,
});
export type AlertsSearch = StateOf<typeof alertsSource>;
