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
const deeds = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ parent: one, children: fc.uniqueArray(one, { maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.uniqueArray(one, { minLength: 1, maxLength: 2 }) }) },
    { weight: 2, arbitrary: fc.record({ restore: fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) }) },
  ),
  { minLength: 4, maxLength: 14 },
);
type Deed = typeof deeds extends fc.Arbitrary<(infer D)[]> ? D : never;

const relations = () =>
  rowMaker(api, ada).inside((trx) =>
    trx.selectFrom('asset_relation').select(['asset_id as from', 'related_id as to']).execute(),
  );

/** Takes away whatever hangs on nothing until nothing is left: what cannot be taken goes in a circle. */
function circle(all: { from: string; to: string }[]): { from: string; to: string }[] {
  const rest = all.filter(({ from }) => all.some(({ to }) => to === from));
  return rest.length === all.length ? rest : circle(rest);
}

it('many who relate, delete and restore assets at once never close a circle', async () => {
  let refused = 0;
  let kept = 0;
  const property = fc.asyncProperty(deeds, async (all) => {
    const assets: AssetDetail[] = [];
    for (let n = 0; n < count; n += 1) assets.push(await makeAsset(ada, projectId, { name: `Asset ${n}` }));
    const idOf = (n: number) => assets[n]?._id ?? '';
    const act = (deed: Deed) => {
      if ('parent' in deed) {
        const url = `/api/assets/${idOf(deed.parent)}`;
        return ada.call({ method: 'PUT', url, body: { relatedAssets: deed.children.map(idOf) } });
      }
      if ('remove' in deed) return ada.delete('/api/assets/bulk', { ids: deed.remove.map(idOf) });
      return ada.post('/api/assets/restore', { ids: deed.restore.map(idOf) });
    };
    const answers = await Promise.all(all.map(act));
    for (const { statusCode } of answers) expect([200, 404, 422]).toContain(statusCode);
    refused += answers.filter(({ statusCode }) => statusCode === 422).length;
    const left = await relations();
    kept += left.length;
    expect(circle(left)).toEqual([]);
    await ada.delete('/api/assets/bulk', { ids: assets.map(({ _id }) => _id) });
  });
  await fc.assert(property, { seed: 20_261_121, numRuns: 12 });
  // A property of calls that never meet would hold of anything.
  expect(Math.min(refused, kept)).toBeGreaterThan(5);
}, 60_000);
