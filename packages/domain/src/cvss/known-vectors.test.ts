import { expect, it } from 'vitest';
import { KnownVectors } from './known-vectors.ts';

it('keeps the results of the last vectors, not those of any number', () => {
  const known = new KnownVectors<number>();
  for (let n = 0; n < 100_000; n += 1) expect(known.keep(`vector ${n}`, n)).toBe(n);
  expect(known.get('vector 99999')).toBe(99_999);
  expect(known.get('vector 0')).toBeUndefined();
  const kept = Array.from({ length: 100_000 }, (_, n) => known.get(`vector ${n}`)).filter(
    (n) => n !== undefined,
  );
  expect(kept.length).toBeLessThanOrEqual(4096);
});
