import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle, type StixObject, threat, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

/** A report of a month of 2024 with one version of an object. @returns its id */
async function importReport(month: number, object: StixObject): Promise<string> {
  const modified = `2024-0${month}-01T00:00:00.000Z`;
  const { fileId } = await harness.read(`${month}.json`, bundle([{ ...object, modified }]));
  await harness.extract(fileId);
  return fileId;
}

describe('the risk level of an imported threat', () => {
  const pattern = threat({}, 'attack-pattern');
  const report = (month: number, likelihood?: string, severity?: string) =>
    importReport(month, {
      ...pattern,
      ...(likelihood === undefined ? {} : { x_capec_likelihood_of_attack: likelihood }),
      ...(severity === undefined ? {} : { x_capec_typical_severity: severity }),
    });
  const edit = (values: Record<string, number | string | null>, fields: string[]) =>
    harness.inside((trx) =>
      trx
        .updateTable('threat')
        .set({ ...values, edited_fields: fields })
        .execute(),
    );
  const level = async () => {
    const row = await harness.inside((trx) => trx.selectFrom('threat').selectAll().executeTakeFirstOrThrow());
    return [row.likelihood, row.impact, row.risk_level, row.risk_level_source];
  };

  it('that is derived follows the likelihood of newer reports and the edited impact', async () => {
    await report(1, 'Medium');
    await edit({ impact: 4, risk_level: 48, risk_level_source: 'derived' }, ['impact']);
    const second = await report(2, 'High');
    expect(await level()).toEqual([4, 4, 64, 'derived']);
    // A level of a report is given: it is not derived.
    const third = await report(3, 'Low', 'Low');
    expect(await level()).toEqual([2, 4, 13, 'CAPEC']);
    const fourth = await report(4);
    expect(await level()).toEqual([null, 4, null, '']);
    for (const fileId of [fourth, third]) await harness.remove(fileId);
    expect(await level()).toEqual([4, 4, 64, 'derived']);
    await harness.remove(second);
    expect(await level()).toEqual([3, 4, 48, 'derived']);
  });

  it('that a person entered is kept', async () => {
    await report(1, 'Medium');
    await edit({ impact: 4, risk_level: 50, risk_level_source: '' }, [
      'impact',
      'risk_level',
      'risk_level_source',
    ]);
    const second = await report(2, 'High', 'High');
    expect(await level()).toEqual([4, 4, 50, '']);
    await harness.remove(second);
    expect(await level()).toEqual([3, 4, 50, '']);
  });

  it('that a person cleared is derived, also when a report states one', async () => {
    await report(1, 'Medium', 'High');
    expect(await level()).toEqual([3, 4, 53, 'CAPEC']);
    await edit({ risk_level: 48, risk_level_source: 'derived' }, ['risk_level', 'risk_level_source']);
    const second = await report(2, 'High', 'High');
    expect(await level()).toEqual([4, 4, 64, 'derived']);
    const third = await report(3, 'High');
    expect(await level()).toEqual([4, null, null, '']);
    await harness.remove(third);
    expect(await level()).toEqual([4, 4, 64, 'derived']);
    await harness.remove(second);
    expect(await level()).toEqual([3, 4, 48, 'derived']);
  });

  it('is not written again by an extraction of a report that was read again', async () => {
    await report(1, 'Medium');
    await edit({ impact: 4, risk_level: 48, risk_level_source: 'derived' }, ['impact']);
    const version = () =>
      harness.inside((trx) => trx.selectFrom('threat').select('version').executeTakeFirstOrThrow());
    const fileId = await report(1, 'Medium');
    const before = await version();
    await harness.extract(fileId);
    expect(await version()).toEqual(before);
    expect(await level()).toEqual([3, 4, 48, 'derived']);
  });
});

describe('the severity of an imported vulnerability', () => {
  const flaw = vulnerability({ cves: ['CVE-2021-44228'] });
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const report = (month: number, stated?: string) =>
    importReport(month, {
      ...flaw,
      ...(stated === undefined ? {} : { x_cvss: { v3_1: { vector_string: stated } } }),
    });
  const edit = (values: Record<string, number | string>) =>
    harness.inside((trx) =>
      trx
        .updateTable('vulnerability')
        .set({ ...values, edited_fields: Object.keys(values) })
        .execute(),
    );
  const scores = async () => {
    const row = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').selectAll().executeTakeFirstOrThrow(),
    );
    return [row.severity, row.cvss_score];
  };
  const entered = { cvss_score: 3.3, cvss_vector: '', cvss_version: '' };

  it('is the score that a person entered, regardless of newer reports', async () => {
    await report(1, vector);
    expect(await scores()).toEqual([9.8, 9.8]);
    await edit(entered);
    const second = await report(2);
    expect(await scores()).toEqual([3.3, 3.3]);
    await report(3, vector);
    expect(await scores()).toEqual([3.3, 3.3]);
    await harness.remove(second);
    expect(await scores()).toEqual([3.3, 3.3]);
  });

  it('that a person entered is kept', async () => {
    await report(1, vector);
    await edit({ ...entered, severity: 7 });
    await report(2);
    expect(await scores()).toEqual([7, 3.3]);
  });
});
