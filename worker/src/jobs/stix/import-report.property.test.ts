import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkImportReport, checkExtraction } from '../../testing/import-report.ts';
import { orphans } from '../../testing/snapshot.ts';
import { bundle, type StixObject, threat, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

/** Few ids and CVEs, so that objects collide: as versions of one id, as records of one CVE, in several reports. */
const ids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const common = {
  modified: fc.constantFrom(
    '2024-01-01T00:00:00.000Z',
    '2024-02-01T00:00:00.000Z',
    '2024-03-01T00:00:00.000Z',
    undefined,
  ),
  revoked: fc.option(fc.constant(true), { nil: undefined, freq: 4 }),
  name: fc.option(fc.constantFrom('One', 'Two', 'tab\tand \\ and \u0000'), { nil: undefined, freq: 5 }),
};
const vulnerabilities = fc
  .record({
    ...common,
    id: fc.constantFrom(...ids.map((id) => `vulnerability--${id}`)),
    cves: fc.subarray(['CVE-2024-1001', 'CVE-2024-1002', 'CVE-2024-1003']),
    x_misp_cvss_score: fc.option(fc.constantFrom('6.8', '9.1'), { nil: undefined }),
  })
  .map(vulnerability);
const threats = fc
  .record({
    ...common,
    id: fc.constantFrom(...ids.map((id) => `malware--${id}`)),
    x_mitre_deprecated: fc.option(fc.constant(true), { nil: undefined, freq: 5 }),
  })
  .map((fields) => threat(fields));
/** Objects that are not records, valid and invalid ones. */
const others = fc.constantFrom<StixObject>(
  { type: 'indicator', id: 'indicator--1' },
  { type: 'tool', id: 'malware--1' },
  { type: 'x-thing', id: 'x-thing--1' },
  { type: '__proto__', id: '__proto__--1' },
  ...[7, null, ['list'], {}].map((value) => value as unknown as StixObject),
);
const reports = fc.array(fc.array(fc.oneof(vulnerabilities, threats, others), { maxLength: 14 }), {
  minLength: 1,
  maxLength: 3,
});

async function readAndExtract(
  harness: TestHarness,
  [index, objects]: [number, StixObject[]],
): Promise<string> {
  const { fileId, parseJobId } = await harness.read(`${index}.json`, bundle(objects));
  const { state } = await harness.job(parseJobId);
  // A list without any STIX object is not a report.
  if (state === 'failed') return '';
  await checkImportReport(harness, fileId);
  await checkExtraction(harness, await harness.extract(fileId));
  return fileId;
}

it(
  'the counts of any reports are exact, a second extraction creates nothing, and deleting them leaves no orphans',
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(reports, async (all) => {
        const harness = await harnesses.open();
        const fileIds: string[] = [];
        for (const entry of all.entries()) fileIds.push(await readAndExtract(harness, entry));
        const read = fileIds.filter((id) => id !== '');
        for (const fileId of read) {
          const again = await checkExtraction(harness, await harness.extract(fileId));
          expect(again.created).toBe(0);
        }
        for (const fileId of read) await checkImportReport(harness, fileId);
        for (const fileId of read.toReversed()) {
          await harness.remove(fileId);
          expect(await orphans(harness)).toEqual([]);
        }
      }),
      { numRuns: 40 },
    ),
);
