import { batches, type Batch } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Whether files of the batch are expected or have not ended. */
export const isActive = ({ status }: Pick<Batch, 'status'>): boolean =>
  status !== 'finished' && status !== 'cancelled';

/** Events refetch it; the interval covers a lost connection, and an upload that ends without an event. */
const activeMs = 10_000;

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['batches', 'detail', id],
    queryFn: ({ signal }) => call(batches.get, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isActive(data) && activeMs,
  });

/** Batches on one page. */
export const batchesPerPage = 20;

export const batchesQuery = (page: number) =>
  queryOptions({
    queryKey: ['batches', 'list', page],
    queryFn: ({ signal }) => call(batches.list, { query: { page, pageSize: batchesPerPage }, signal }),
    refetchInterval: ({ state: { data } }) => data?.batches.some(isActive) === true && activeMs,
    placeholderData: keepPreviousData,
  });
