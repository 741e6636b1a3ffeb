import { expect, onTestFinished, test, vi } from 'vitest';
import { createUploadRows } from './upload-rows.ts';
import type { Upload } from './upload.ts';

const uploadOf = (id: number): Upload => ({
  id,
  file: new File(['{}'], `report-${id}.json`),
  state: 'chosen',
  sent: 0,
  reason: null,
  canRetry: false,
  existingId: null,
  extract: [],
  reply: null,
  batchId: null,
});

function rowsOf(count: number) {
  const rows = createUploadRows();
  rows.add(Array.from({ length: count }, (_, n) => uploadOf(n)));
  vi.runAllTimers();
  const listener = vi.fn<() => void>();
  rows.subscribe(listener);
  return { rows, listener };
}

test('changes of thousands of uploads are shown together, those of a few at once', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const few = rowsOf(3);
  few.rows.patchOne(1, { state: 'sending' });
  few.rows.patchOne(1, { sent: 1 });
  expect(few.listener).toHaveBeenCalledTimes(2);

  const many = rowsOf(5000);
  for (let id = 0; id < 100; id += 1) many.rows.patchOne(id, { state: 'sending' });
  expect(many.listener).not.toHaveBeenCalled();
  expect(many.rows.get().uploads[99]?.state).toBe('sending');
  vi.runAllTimers();
  expect(many.listener).toHaveBeenCalledTimes(1);
});
