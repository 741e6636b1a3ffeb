import { recordSources, reportColumns, revertToReports } from '@riskboard/db';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

const vectors = [
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
];

/** What one report says of the weakness; two may say so at the same moment. */
const report = fc.record({
  modified: fc.constantFrom('2024-03-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'),
  vector: fc.constantFrom(undefined, ...vectors),
  name: fc.constantFrom('Overflow', 'Buffer overflow'),
});

const columns = Object.keys(reportColumns.vulnerability);
const person = '019a0000-0000-7000-8000-000000000000';
const mine = {
  name: 'Mine',
  description: 'Mine',
  severity: 1,
  cve_id: '',
  cwe: ['CWE-1'],
  cvss_score: null,
  cvss_vector: '',
  cvss_version: '',
  reference: 'Mine',
  discovery_date: '1970-01-01',
  details: '{}',
};

const row = (harness: TestHarness) =>
  harness.inside((trx) => trx.selectFrom('vulnerability').selectAll().executeTakeFirstOrThrow());

it('reverting any edited fields restores the values that any sequence of reports gave the record', async () => {
  expect(Object.keys(mine).toSorted()).toEqual(columns.toSorted());
  const property = fc.asyncProperty(
    fc.array(report, { minLength: 1, maxLength: 4 }),
    fc.subarray(columns, { minLength: 1 }),
    async (reports, edited) => {
      const harness = await harnesses.open();
      for (const [n, { modified, vector, name }] of reports.entries()) {
        const said = { cves: ['CVE-2024-1000'], modified, name, description: `By report ${n}` };
        const content = bundle([vulnerability(vector === undefined ? said : { ...said, vector })]);
        await harness.extract((await harness.read(`${n}.json`, content)).fileId);
      }
      const before = await row(harness);
      const { sources } = await harness.inside((trx) => recordSources(trx, 'vulnerability', before.id));
      const [current, ...others] = sources;
      expect(others).toHaveLength(reports.length - 1);
      expect(current?.fields['description']).toBe(before.description);
      const change = Object.fromEntries(Object.entries(mine).filter(([column]) => edited.includes(column)));
      await harness.inside((trx) =>
        trx
          .updateTable('vulnerability')
          .set({ ...change, edited_fields: edited })
          .execute(),
      );
      await harness.inside((trx) =>
        revertToReports(trx, 'vulnerability', { id: before.id, columns: edited, by: person }),
      );
      expect(await row(harness)).toEqual({
        ...before,
        version: before.version + 1,
        // It counts changes of what a CWSS score is calculated from.
        cwss_inputs: expect.any(Number) as unknown,
        // The time of the last change, also of one that restores a value.
        severity_changed_at: edited.includes('severity')
          ? (expect.any(Date) as unknown)
          : before.severity_changed_at,
        updated_by: person,
        updated_at: expect.any(Date) as unknown,
      });
    },
  );
  await fc.assert(property, { seed: 20_261_121, numRuns: 20 });
}, 60_000);
