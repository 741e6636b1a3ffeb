import { expect, test, vi } from 'vitest';
import { readSizes, sizeOf } from './file-size.ts';

test('the size of each file is read once', async () => {
  const files = ['a', 'bb'].map((text) => new File([text], `${text}.json`));
  const read = files.map((file) => vi.spyOn(file, 'size', 'get'));
  await readSizes(files);
  expect(files.map(sizeOf)).toEqual([1, 2]);
  for (const spy of read) expect(spy).toHaveBeenCalledTimes(1);
});

test('other tasks run while the sizes of slow files are read', async () => {
  const order: string[] = [];
  const files = ['a', 'b'].map((name) => {
    const file = new File(['x'], name);
    vi.spyOn(file, 'size', 'get').mockImplementation(() => {
      for (const end = performance.now() + 15; performance.now() < end;);
      order.push(name);
      return 1;
    });
    return file;
  });
  setTimeout(() => order.push('other'), 0);
  await readSizes(files);
  expect(order).toEqual(['a', 'other', 'b']);
});
