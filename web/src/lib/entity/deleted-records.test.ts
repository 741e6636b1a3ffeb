import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOfDeletedRecord, markDeleted, markRestored, useListed } from './deleted-records.ts';
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

it('a record that a list shows again is no longer taken for deleted', () => {
  const idOf = (id: string) => id;
  markDeleted(mine, theirs);
  const { rerender } = renderHook(({ rows }) => useListed(rows, idOf), {
    initialProps: { rows: [] as string[] },
  });
  expect(isOfDeletedRecord(['threats', 'detail', mine])).toBe(true);
  rerender({ rows: [mine] });
  expect(isOfDeletedRecord(['threats', 'detail', mine])).toBe(false);
  expect(isOfDeletedRecord(['threats', 'detail', theirs])).toBe(true);
});
