import { expect, it, vi } from 'vitest';
import { growthCheck } from './collect-when-grown.ts';

const mebibyte = 1024 * 1024;

it('collects each time that the heap has grown by 16 MiB since the last collection', () => {
  const heap = { used: 50 * mebibyte };
  const collect = vi.fn(() => {
    heap.used = 52 * mebibyte;
  });
  const check = growthCheck(() => heap.used, collect);
  const grow = (used: number): void => {
    heap.used = used * mebibyte;
    check();
  };
  grow(65);
  expect(collect).not.toHaveBeenCalled();
  grow(66);
  expect(collect).toHaveBeenCalledOnce();
  // Grown from the 52 MiB that remained.
  grow(67);
  expect(collect).toHaveBeenCalledOnce();
  grow(68);
  expect(collect).toHaveBeenCalledTimes(2);
});

it('does not collect after V8 has', () => {
  const heap = { used: 50 * mebibyte };
  const collect = vi.fn<() => void>();
  const check = growthCheck(() => heap.used, collect);
  for (const used of [60, 40, 55]) {
    heap.used = used * mebibyte;
    check();
  }
  expect(collect).not.toHaveBeenCalled();
});
