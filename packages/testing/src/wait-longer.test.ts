import { assert, expect, it, vi } from 'vitest';

const never = () => {
  throw new Error('not yet');
};

it('waits last longer than the default of Vitest, 1 s', async () => {
  const isMetAt = performance.now() + 1500;
  const isMet = () => performance.now() >= isMetAt;
  await Promise.all([
    vi.waitUntil(isMet),
    vi.waitFor(() => assert(isMet())),
    vi.waitFor(() => assert(isMet()), { interval: 100 }),
  ]);
});

it.each([
  ['a number', 50],
  ['an option', { timeout: 50 }],
] as const)('a wait ends after the time that is given as %s', async (_, options) => {
  await expect(vi.waitFor(never, options)).rejects.toThrow('not yet');
});
