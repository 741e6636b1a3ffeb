import { expect, test } from 'vitest';
import { formatCount, plural } from './count.ts';

test('a count is written with grouped digits, and its noun in the plural unless it is one', () => {
  expect([formatCount(0), formatCount(1693), formatCount(1_000_000)]).toEqual(['0', '1,693', '1,000,000']);
  expect([plural(1, 'file'), plural(0, 'file'), plural(1693, 'entry', 'entries')]).toEqual([
    '1 file',
    '0 files',
    '1,693 entries',
  ]);
});
