import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeOrganization } from '../testing/accounts/member.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { countFacets } from './list-facets.ts';

let api: TestApi;
let organizations: string[];
beforeAll(async () => {
  api = await startApi();
  organizations = await Promise.all(Array.from({ length: 3 }, () => makeOrganization(api)));
});
afterAll(() => api.close());

/** Starts a call of each of these organizations and lets them end when `expected` run at once. @returns the most at once */
async function mostAtOnce(callers: readonly string[], expected: number, field?: string[]): Promise<number> {
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const call = (organizationId: string) =>
    countFacets(api.database, { organizationId, field }, async () => {
      running += 1;
      most = Math.max(most, running);
      await release.promise;
      running -= 1;
      return { facets: {} };
    });
  const calls = callers.map(call);
  await vi.waitFor(() => expect(running).toBe(expected));
  release.resolve();
  await Promise.all(calls);
  return most;
}

it('an organization counts all facets of a list once at a time, and all organizations twice', async () => {
  const [one = ''] = organizations;
  expect(
    await mostAtOnce(
      Array.from({ length: 10 }, () => one),
      1,
    ),
  ).toBe(1);
  expect(await mostAtOnce([...organizations, ...organizations], 2)).toBe(2);
  expect(await mostAtOnce([one, one], 1, ['a', 'b', 'c', 'd', 'e'])).toBe(1);
});

it('facets of a few fields are counted at once', async () => {
  const [one = ''] = organizations;
  expect(await mostAtOnce([one, one], 2, ['severity'])).toBe(2);
});
