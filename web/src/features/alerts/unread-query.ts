import { alerts } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Number of the member's unread alerts, counted up to `mostUnread`. */
export const unreadQuery = queryOptions({
  queryKey: ['alerts', 'unread'],
  queryFn: async ({ signal }) => (await call(alerts.unread, { signal })).unread,
});
