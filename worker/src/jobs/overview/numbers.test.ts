import type { JobPayload } from '@riskboard/contract';
import { insertJob, readTotals, recomputeOverview } from '@riskboard/db';
import { countOverview } from '@riskboard/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestRun, uploadCsv } from '../../testing/import-csv.ts';
import { bundle, threat, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

const vectors = [
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
  undefined,
];

/** A report that names some weaknesses with their vectors. */
const report = fc.array(
  fc.record({ cve: fc.integer({ min: 0, max: 5 }), vector: fc.constantFrom(...vectors) }),
  {
    maxLength: 6,
  },
);
const fileName = fc.constantFrom('a.json', 'b.json');
const bulk = fc.constantFrom<JobPayload<'records.update'>['change']['columns']>(
  { status: 'fixed' },
  { status: 'open' },
  { status: 'accepted' },
);

type Step = (harness: TestHarness, files: Map<string, string>) => Promise<unknown>;

const runJob = async <K extends 'records.update' | 'records.delete'>(
  harness: TestHarness,
  kind: K,
  payload: JobPayload<K>,
) => {
  const { organizationId } = harness;
  await harness.run(await harness.inside((trx) => insertJob(trx, { kind, payload, organizationId })));
};

async function importFile(harness: TestHarness, isUndone: boolean): Promise<void> {
  const csv = [
    'Name,Severity,Status,CVE,Discovery Date,Related assets',
    'Weak cipher,9.1,open,CVE-2024-10000,2026-01-02,',
    'Open port,7.5,fixed,CVE-2024-10009,2026-03-04,',
  ].join('\n');
  const id = await uploadCsv(harness, { noun: 'vulnerabilities', key: 'cveId', csv });
  const job = await requestRun(harness, id, 'csv.import');
  await harness.run(job);
  expect(await harness.job(job)).toMatchObject({ state: 'succeeded' });
  if (isUndone) await harness.run(await requestRun(harness, id, 'csv.undo'));
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fileName, report).map(([name, said]): Step => async (harness, files) => {
    const replaced = files.get(name);
    if (replaced !== undefined) await harness.remove(replaced);
    const objects = said.map(({ cve, vector }) => {
      const named = { cves: [`CVE-2024-1000${cve}`] };
      return vulnerability(vector === undefined ? named : { ...named, vector });
    });
    const { fileId } = await harness.read(name, bundle([...objects, threat()]));
    files.set(name, fileId);
    await harness.extract(fileId);
  }),
  fileName.map((name): Step => async (harness, files) => {
    const fileId = files.get(name);
    if (fileId !== undefined) await harness.remove(fileId);
    files.delete(name);
  }),
  bulk.map(
    (columns): Step =>
      (harness) =>
        runJob(harness, 'records.update', {
          noun: 'vulnerabilities',
          filter: {},
          change: { columns, addAssets: [], removeAssets: [] },
        }),
  ),
  fc.constantFrom('vulnerabilities' as const, 'threats' as const).map(
    (noun): Step =>
      (harness) =>
        runJob(harness, 'records.delete', { noun, filter: {} }),
  ),
  fc.boolean().map(
    (isUndone): Step =>
      (harness) =>
        importFile(harness, isUndone),
  ),
);

it('the numbers of the overview equal a recount after any reports, replacements, imports, undone imports and bulk jobs', async () => {
  const property = fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 8 }), async (sequence) => {
    const harness = await harnesses.open();
    const files = new Map<string, string>();
    for (const step of sequence) await step(harness, files);
    await harness.inside(async (trx) => {
      const counted = await countOverview(
        async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows,
      );
      expect(await readTotals(trx)).toEqual(counted);
      expect((await recomputeOverview(trx)).repaired).toEqual([]);
    });
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: 15 });
}, 60_000);
