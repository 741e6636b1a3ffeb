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

/** Versions of two objects, which may name other CVEs, or none, or be revoked without any. */
const version = fc.record({
  object: fc.nat({ max: 1 }),
  cves: fc.constantFrom<number[][]>([], [1], [2], [1, 2], [1, 3]),
  revoked: fc.constantFrom(false, false, false, true),
  day: fc.integer({ min: 1, max: 28 }),
});
type Version = typeof version extends fc.Arbitrary<infer T> ? T : never;

const cveOf = (n: number): string => `CVE-2024-100${n}`;
const versionsContent = (versions: readonly Version[]) =>
  bundle(
    versions.map(({ object, cves, revoked, day }) => ({
      ...vulnerability({
        cves: cves.map(cveOf),
        name: `Name ${day}`,
        modified: `2024-02-${String(day).padStart(2, '0')}T00:00:00.000Z`,
        ...(revoked && { revoked }),
      }),
      id: objects[object]?.id ?? '',
    })),
  );

/** The records that are not withdrawn, after these reports, by CVE, with the day of the newest object. */
function activeOf(reports: readonly (readonly Version[])[]): string[] {
  const newest = new Map<number, Version>();
  for (const one of reports.flat().toSorted((a, b) => a.day - b.day)) newest.set(one.object, one);
  const days = new Map<string, number>();
  for (const { cves, revoked, day, object } of newest.values())
    for (const key of cves.length === 0 ? [`none ${object}`] : cves.map(cveOf))
      if (!revoked) days.set(key, Math.max(day, days.get(key) ?? 0));
  return [...days].map(([key, day]) => `${key.replace(/ .*/, '')} ${day}`).toSorted();
}

it('of versions of an object with several CVEs the newest counts, in any order of reports and after deletions and new versions of reports', async () => {
  const step = fc.record({
    file: fc.nat({ max: 2 }),
    versions: fc.array(version, { maxLength: 2 }),
  });
  const property = fc.asyncProperty(
    fc
      .array(step, { minLength: 2, maxLength: 5 })
      .filter((steps) => haveDistinctDays(steps.map(({ versions }) => versions) as never)),
    async (steps) => {
      const harness = await harnesses.open();
      const reports = new Map<number, readonly Version[]>();
      const files = new Map<number, string>();
      for (const { file, versions } of steps) {
        const known = files.get(file);
        if (versions.length === 0) {
          if (known !== undefined) await harness.remove(known);
          files.delete(file);
          reports.delete(file);
        } else {
          const { fileId } = await harness.read(`${file}.json`, versionsContent(versions));
          await harness.extract(fileId);
          files.set(file, fileId);
          reports.set(file, versions);
        }
        const rows = await harness.inside((trx) =>
          trx
            .selectFrom('vulnerability')
            .select(['cve_id', 'source_modified'])
            .where('withdrawn', 'is', null)
            .execute(),
        );
        const active = rows.map(
          ({ cve_id: cve, source_modified: modified }) => `${cve || 'none'} ${modified?.getUTCDate()}`,
        );
        expect(active.toSorted()).toEqual(activeOf([...reports.values()]));
      }
    },
  );
  await fc.assert(property, { seed: 20_261_130, numRuns: 40 });
}, 240_000);
