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
  refetchStale(queryClient, ['threats']);
  refetchStale(queryClient, ['threats']);
  loads[0]?.('read before the change');
  await vi.waitFor(() => expect(loads).toHaveLength(2));
  loads[1]?.('read after the change');
  await vi.waitFor(() => expect(list.getCurrentResult().data).toBe('read after the change'));
  expect(loads).toHaveLength(2);
  unsubscribe();
});
