import { deleteFiles, restoreRecords } from '@riskboard/db';
import { deleteRecords } from '@riskboard/db/testing/delete-records';
import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteOutdatedRows } from '../../housekeeping/delete-outdated-rows.ts';
import { cwssHarness } from '../../testing/cwss.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let cwss: ReturnType<typeof cwssHarness>;
let fileId: string;
let vignetteId: string;
/** A vulnerability of a report with a score and a factor of an analyst. */
let id: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  cwss = cwssHarness(harness);
  vignetteId = await cwss.vignette('Web shop', 7);
  ({ fileId } = await harness.read('a.json', bundle([vulnerability({ cves: ['CVE-2021-44228'] })])));
  await harness.extract(fileId);
  const [row] = await cwss.rows();
  id = row?.id ?? '';
  await harness.inside((trx) =>
    sql`insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
      values (${harness.organizationId}, ${id}, 'EC', 'B', 0.3, 'A firewall filters it.')`.execute(trx),
  );
  await harness.run(await cwss.request({ vignetteId, filter: {} }));
  await harness.inside((trx) =>
    deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = ${id}`, by: null }),
  );
});

const overrides = () => harness.inside((trx) => trx.selectFrom('cwss_override').select('factor').execute());
async function outdate(): Promise<void> {
  await withClient(harnesses.test.adminUrl, (admin) =>
    admin.query(`update deleted_record set deleted_at = now() - interval '31 days'`),
  );
}

it('a vulnerability in the trash keeps its scores and factors until housekeeping deletes them with it', async () => {
  expect(await deleteOutdatedRows(harness.deps)).toBe(0);
  expect([await cwss.scores(), await overrides()]).toMatchObject([[{ version: 1 }], [{ factor: 'EC' }]]);
  await outdate();
  expect(await deleteOutdatedRows(harness.deps)).toBe(1);
  expect([await cwss.scores(), await overrides()]).toEqual([[], []]);
});

it('a vulnerability that an extraction creates again begins without scores and factors, and keeps its own', async () => {
  await harness.extract(fileId);
  expect(await cwss.rows()).toMatchObject([{ id, cwss_score: null, cwss_version: 0, cwss_overrides: [] }]);
  expect([await cwss.scores(), await overrides()]).toEqual([[], []]);
  await harness.run(await cwss.request({ vignetteId, filter: {} }));
  await outdate();
  expect(await deleteOutdatedRows(harness.deps)).toBe(1);
  expect(await cwss.scores()).toMatchObject([{ vulnerability_id: id, version: 1 }]);
});

it('a vulnerability that an extraction created again is restored from the trash without its former score', async () => {
  await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [id]));
  await harness.inside((trx) =>
    sql`update vulnerability set edited_fields = '{name}', name = 'Log4Shell'`.execute(trx),
  );
  await harness.inside((trx) =>
    deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = ${id}`, by: null }),
  );
  await harness.extract(fileId);
  await harness.run(await cwss.request({ vignetteId, filter: {} }));
  await harness.inside((trx) => deleteFiles(trx, { ids: [fileId] }));
  expect(await cwss.rows()).toEqual([]);
  await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [id]));
  expect(await cwss.rows()).toMatchObject([
    {
      id,
      name: 'Log4Shell',
      cwss_score: null,
      cwss_version: 0,
      cwss_state: null,
      cwss_overrides: [],
      applied_vignette: '',
      cwss_vignette_id: null,
    },
  ]);
  await harness.run(await cwss.request({ vignetteId, filter: {} }));
  expect(await cwss.scores()).toMatchObject([{ vulnerability_id: id, version: 1 }]);
});

it('a vulnerability that an extraction created again stays in the trash when only its factors were set', async () => {
  await harness.extract(fileId);
  await harness.inside((trx) => deleteFiles(trx, { ids: [fileId] }));
  expect(await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [id]))).toEqual([]);
});

it('an extraction into an existing vulnerability marks its score as stale, and keeps its history', async () => {
  await harness.inside((trx) => restoreRecords(trx, 'vulnerability', [id]));
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const newer = vulnerability({
    cves: ['CVE-2021-44228'],
    modified: '2030-01-01T00:00:00Z',
    vector,
  });
  const second = await harness.read('b.json', bundle([newer]));
  expect(await cwss.rows()).toMatchObject([{ cwss_state: 'current', cvss_vector: '' }]);
  await harness.extract(second.fileId);
  expect(await cwss.rows()).toMatchObject([
    { id, cvss_vector: vector, cwss_state: 'stale', cwss_stale: ['cvss'], cwss_version: 1 },
  ]);
});
