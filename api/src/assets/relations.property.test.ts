import type { AssetDetail } from '@riskboard/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAsset, makeProject } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let projectId: string;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  projectId = (await makeProject(ada))._id;
});
afterAll(() => api.close());

const count = 5;
const one = fc.nat({ max: count - 1 });
const requests = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ parent: one, children: fc.uniqueArray(one, { maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.uniqueArray(one, { minLength: 1, maxLength: 2 }) }) },
    { weight: 2, arbitrary: fc.record({ restore: fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) }) },
  ),
  { minLength: 4, maxLength: 14 },
);
type RelationRequest = typeof requests extends fc.Arbitrary<(infer D)[]> ? D : never;

const relations = () =>
  rowMaker(api, ada).inside((trx) =>
    trx.selectFrom('asset_relation').select(['asset_id as from', 'related_id as to']).execute(),
  );

/** Removes the relations to assets without children until none is left to remove; the rest are cycles. */
function cyclesOf(all: { from: string; to: string }[]): { from: string; to: string }[] {
  const rest = all.filter(({ from }) => all.some(({ to }) => to === from));
  return rest.length === all.length ? rest : cyclesOf(rest);
}

it('concurrent requests that relate, delete and restore assets never form a cycle', async () => {
  let refused = 0;
  let kept = 0;
  const property = fc.asyncProperty(requests, async (all) => {
    const assets: AssetDetail[] = [];
    for (let n = 0; n < count; n += 1) assets.push(await makeAsset(ada, projectId, { name: `Asset ${n}` }));
    const idOf = (n: number) => assets[n]?._id ?? '';
    const act = (request: RelationRequest) => {
      if ('parent' in request) {
        const url = `/api/assets/${idOf(request.parent)}`;
        return ada.call({ method: 'PUT', url, body: { relatedAssets: request.children.map(idOf) } });
      }
      if ('remove' in request) return ada.delete('/api/assets/bulk', { ids: request.remove.map(idOf) });
      return ada.post('/api/assets/restore', { ids: request.restore.map(idOf) });
    };
    const answers = await Promise.all(all.map(act));
    for (const { statusCode } of answers) expect([200, 404, 422]).toContain(statusCode);
    refused += answers.filter(({ statusCode }) => statusCode === 422).length;
    const left = await relations();
    kept += left.length;
    expect(cyclesOf(left)).toEqual([]);
    await ada.delete('/api/assets/bulk', { ids: assets.map(({ _id }) => _id) });
  });
  await fc.assert(property, { seed: 20_261_121, numRuns: 12 });
  // Without refused and accepted relations the property would hold trivially.
  expect(Math.min(refused, kept)).toBeGreaterThan(5);
}, 60_000);
