import { alertRules, webhooks } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** The rules of the organization. */
export const rulesQuery = queryOptions({
  queryKey: ['alerts', 'rules'],
  queryFn: async ({ signal }) => (await call(alertRules.list, { signal })).rules,
});

/** Members and webhooks that a rule can notify; for analysts and owners. */
export const channelsQuery = queryOptions({
  queryKey: ['alerts', 'channels'],
  queryFn: ({ signal }) => call(alertRules.channels, { signal }),
});

/** The webhooks of the organization; for owners. */
export const webhooksQuery = queryOptions({
  queryKey: ['alerts', 'webhooks'],
  queryFn: ({ signal }) => call(webhooks.list, { signal }),
});
