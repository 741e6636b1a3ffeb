import { expect, it } from 'vitest';
import { releaseMemory } from './release-memory.ts';

it('the memory of a large buffer is returned at once, without a garbage collection', () => {
  const bytes = Buffer.alloc(32 * 1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  releaseMemory(bytes);
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(31 * 1024 * 1024);
  expect(bytes).toHaveLength(0);
});

it('a small buffer, which shares its memory with others, is left as it is', () => {
  const bytes = Buffer.from('shared');
  releaseMemory(bytes);
  expect(bytes.toString()).toBe('shared');
});
