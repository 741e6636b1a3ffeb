import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const objects = [vulnerability({}), vulnerability({}), vulnerability({})];

/** What one report says of a CVE: by one of three objects, which may be revoked. */
const report = fc.record({
  object: fc.nat({ max: 2 }),
  hasVector: fc.boolean(),
  hasDescription: fc.boolean(),
  revoked: fc.constantFrom(false, false, true),
});
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never;

/** The report at a position in the order of the times of its objects. */
const contentOf = ({ object, hasVector, hasDescription, revoked }: Report, at: number) => {
  const id = objects[object]?.id ?? '';
  const said = {
    cves: ['CVE-2024-1000'],
    name: `Name ${at}`,
    modified: `2024-0${at + 1}-01T00:00:00.000Z`,
    ...(hasVector && { vector }),
    ...(hasDescription && { description: `Description ${at}` }),
    ...(revoked && { revoked }),
  };
  return bundle([{ ...vulnerability(said), id }]);
};

/** What the record says after the reports were imported in this order; nothing of the values of a withdrawn one. */
async function recordAfter(reports: readonly Report[], order: readonly number[]) {
  const harness = await harnesses.open();
  for (const at of order) {
    const said = reports[at];
    if (said) await harness.extract((await harness.read(`${at}.json`, contentOf(said, at))).fileId);
  }
  const row = await harness.inside((trx) =>
    trx
      .selectFrom('vulnerability')
      .select([
        'name',
        'description',
        'cvss_score',
        'cvss_vector',
        'severity',
        'withdrawn',
        'source_modified',
      ])
      .executeTakeFirst(),
  );
  return row?.withdrawn === 'revoked' ? { withdrawn: 'revoked' } : row;
}

it('reports of one CVE give the same record in any order', async () => {
  const property = fc.asyncProperty(
    fc.array(report, { minLength: 2, maxLength: 5 }).chain((reports) => {
      const positions = reports.map((_, at) => at);
      return fc.tuple(
        fc.constant(reports),
        fc.shuffledSubarray(positions, { minLength: positions.length, maxLength: positions.length }),
      );
    }),
    async ([reports, order]) => {
      const sorted = order.toSorted((a, b) => a - b);
      expect(await recordAfter(reports, order)).toEqual(await recordAfter(reports, sorted));
    },
  );
  await fc.assert(property, { seed: 20_261_129, numRuns: 30 });
}, 120_000);
