import { batches } from '@riskboard/contract';
import { expect, test, vi } from 'vitest';
import { batchOf } from '../../../../testing/batches.ts';
import { answer, server, useServer } from '../../../../testing/server.ts';
import { openBatch } from './batch-calls.ts';

useServer();

test('two batches of the same files have different names, which are true in every time zone', async () => {
  const bodies: unknown[] = [];
  server.use(
    answer(batches.create, async ({ request }) => {
      bodies.push(await request.json());
      return batchOf();
    }),
  );
  const files = ['a.json', 'b.json'].map((name) => new File(['x'], name));
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime('2026-11-30T02:42:00Z');
    await openBatch(files);
    vi.setSystemTime('2026-11-30T14:05:00Z');
    await openBatch(files);
  } finally {
    vi.useRealTimers();
  }
  expect(bodies).toEqual([
    { name: '2 files, Nov 30, 2026, 2:42 AM UTC', files: 2, bytes: 2 },
    { name: '2 files, Nov 30, 2026, 2:05 PM UTC', files: 2, bytes: 2 },
  ]);
});
