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

/** What a report says of a CVE: by one to three objects, which may be revoked. */
const said = fc.record({
  object: fc.nat({ max: 2 }),
  hasVector: fc.boolean(),
  hasDescription: fc.boolean(),
  revoked: fc.constantFrom(false, false, true),
  /** No two objects have the same time: which counts first would depend on the order. */
  day: fc.integer({ min: 1, max: 28 }),
});
const report = fc.array(said, { minLength: 1, maxLength: 3 });
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never;

const contentOf = (objectsOfReport: Report) =>
  bundle(
    objectsOfReport.map(({ object, hasVector, hasDescription, revoked, day }) => ({
      ...vulnerability({
        cves: ['CVE-2024-1000'],
        name: `Name ${day}`,
        modified: `2024-02-${String(day).padStart(2, '0')}T00:00:00.000Z`,
        ...(hasVector && { vector }),
        ...(hasDescription && { description: `Description ${day}` }),
        ...(revoked && { revoked }),
      }),
      id: objects[object]?.id ?? '',
    })),
  );

const haveDistinctDays = (reports: readonly Report[]): boolean => {
  const days = reports.flat().map(({ day }) => day);
  return new Set(days).size === days.length;
};

/** What the record says after the reports were imported in this order; nothing of the values of a withdrawn one. */
async function recordAfter(reports: readonly Report[], order: readonly number[]) {
  const harness = await harnesses.open();
  for (const at of order) {
    const content = reports[at];
    if (content) await harness.extract((await harness.read(`${at}.json`, contentOf(content))).fileId);
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

/** What the newest statements of all objects give together. */
function expected(reports: readonly Report[]) {
  const newest = new Map<number, Report[number]>();
  for (const one of reports.flat().toSorted((a, b) => a.day - b.day)) newest.set(one.object, one);
  const active = [...newest.values()].filter(({ revoked }) => !revoked);
  if (active.length === 0) return { isWithdrawn: true };
  return {
    isWithdrawn: false,
    hasScore: active.some(({ hasVector }) => hasVector),
    hasDescription: active.some(({ hasDescription }) => hasDescription),
    modified: Math.max(...active.map(({ day }) => day)),
  };
}

function summaryOf(record: Awaited<ReturnType<typeof recordAfter>>) {
  if (record === undefined) return undefined;
  if (!('name' in record)) return { isWithdrawn: true };
  return {
    isWithdrawn: record.withdrawn !== null,
    hasScore: record.cvss_score !== null,
    hasDescription: record.description !== '',
    modified: record.source_modified?.getUTCDate(),
  };
}

it('reports of one CVE give the same record in any order, by the newest version of each object', async () => {
  const property = fc.asyncProperty(
    fc
      .array(report, { minLength: 2, maxLength: 4 })
      .filter(haveDistinctDays)
      .chain((reports) => {
        const positions = reports.map((_, at) => at);
        return fc.tuple(
          fc.constant(reports),
          fc.shuffledSubarray(positions, { minLength: positions.length, maxLength: positions.length }),
        );
      }),
    async ([reports, order]) => {
      const sorted = order.toSorted((a, b) => a - b);
      const record = await recordAfter(reports, order);
      expect(record).toEqual(await recordAfter(reports, sorted));
      if (record !== undefined) expect(summaryOf(record)).toEqual(expected(reports));
    },
  );
  await fc.assert(property, { seed: 20_261_129, numRuns: 30 });
}, 120_000);
