import { webhookDeliveries, type WebhookDelivery } from '@riskboard/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

export const deliveriesKey = ['alerts', 'deliveries'] as const;

interface DeliveriesFilter {
  webhookId: string;
  state?: WebhookDelivery['state'] | undefined;
}

/** The delivery log of a webhook, newest first, in pages. */
export const deliveriesQuery = (filter: DeliveriesFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, 'log', filter],
    queryFn: ({ pageParam, signal }) =>
      call(webhookDeliveries.list, {
        query: {
          webhookId: filter.webhookId,
          ...(filter.state !== undefined && { state: filter.state }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

/** One delivery with its attempts and its message. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'one', id],
    queryFn: ({ signal }) => call(webhookDeliveries.get, { params: { id }, signal }),
  });
