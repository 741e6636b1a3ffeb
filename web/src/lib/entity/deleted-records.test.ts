import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { markDeleted, markRestored } from './deleted-records.ts';
import { createStaleMarker } from '../live/stale.ts';

const [mine, theirs] = [
  '0199f000-0000-7000-8000-000000000001',
  '0199f000-0000-7000-8000-000000000002',
] as const;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('an event refetches no record that was deleted in this window, until it is restored', async () => {
  const queryClient = new QueryClient();
  const fetched: string[] = [];
  const ends = [mine, theirs].map((id) =>
    new QueryObserver(queryClient, {
      queryKey: ['threats', 'detail', id],
      queryFn: () => fetched.push(id),
    }).subscribe(() => undefined),
  );
  await vi.advanceTimersByTimeAsync(0);
  const stale = createStaleMarker(queryClient);
  async function fetchedAfterEvent(): Promise<string[]> {
    fetched.length = 0;
    stale.mark('threat.changed');
    await vi.advanceTimersByTimeAsync(1000);
    return fetched;
  }
  expect(await fetchedAfterEvent()).toEqual([mine, theirs]);
  markDeleted(mine);
  expect(await fetchedAfterEvent()).toEqual([theirs]);
  markRestored([mine]);
  expect(await fetchedAfterEvent()).toEqual([mine, theirs]);
  ends.forEach((end) => end());
});
