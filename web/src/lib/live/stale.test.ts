import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refetchStale } from './stale.ts';

test('a change during the first load of a list fetches the list again when the load has ended', async () => {
  const queryClient = new QueryClient();
  const loads: ((rows: string) => void)[] = [];
  const list = new QueryObserver(queryClient, {
    queryKey: ['threats', 'list'],
    queryFn: () => new Promise<string>((resolve) => loads.push(resolve)),
  });
  const unsubscribe = list.subscribe(() => undefined);
  refetchStale(queryClient, { queryKey: ['threats'] });
  refetchStale(queryClient, { queryKey: ['threats'] });
  loads[0]?.('read before the change');
  await vi.waitFor(() => expect(loads).toHaveLength(2));
  loads[1]?.('read after the change');
  await vi.waitFor(() => expect(list.getCurrentResult().data).toBe('read after the change'));
  expect(loads).toHaveLength(2);
  unsubscribe();
});

test('a failed query is fetched again, unless failed queries are excepted', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('away'));
  const list = new QueryObserver(queryClient, { queryKey: ['threats', 'list'], queryFn });
  const unsubscribe = list.subscribe(() => undefined);
  await vi.waitFor(() => expect(list.getCurrentResult().isError).toBe(true));
  refetchStale(queryClient, { exceptFailed: true });
  expect(list.getCurrentResult().isError).toBe(true);
  expect(queryFn).toHaveBeenCalledTimes(1);
  refetchStale(queryClient);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  unsubscribe();
});

test('a look-up in the CWE catalogue is repeated only when the catalogue changes', async () => {
  const queryClient = new QueryClient();
  const queryFn = vi.fn<() => Promise<string>>().mockResolvedValue('Out-of-bounds Write');
  const weakness = new QueryObserver(queryClient, { queryKey: ['cwe', 'CWE-787'], queryFn });
  const unsubscribe = weakness.subscribe(() => undefined);
  refetchStale(queryClient);
  await vi.waitFor(() => expect(weakness.getCurrentResult().data).toBe('Out-of-bounds Write'));
  refetchStale(queryClient);
  await Promise.resolve();
  expect(queryFn).toHaveBeenCalledTimes(1);
  refetchStale(queryClient, { queryKey: ['cwe'] });
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  unsubscribe();
});
