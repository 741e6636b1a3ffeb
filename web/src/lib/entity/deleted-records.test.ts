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

it('an event asks no more for a record that was deleted here, until it is brought back', async () => {
  const queryClient = new QueryClient();
  const asked: string[] = [];
  const ends = [mine, theirs].map((id) =>
    new QueryObserver(queryClient, {
      queryKey: ['threats', 'detail', id],
      queryFn: () => asked.push(id),
    }).subscribe(() => undefined),
  );
  await vi.advanceTimersByTimeAsync(0);
  const stale = createStaleMarker(queryClient);
  async function tell(): Promise<string[]> {
    asked.length = 0;
    stale.mark('threat.changed');
    await vi.advanceTimersByTimeAsync(1000);
    return asked;
  }
  expect(await tell()).toEqual([mine, theirs]);
  markDeleted(mine);
  expect(await tell()).toEqual([theirs]);
  markRestored([mine]);
  expect(await tell()).toEqual([mine, theirs]);
  ends.forEach((end) => end());
});
