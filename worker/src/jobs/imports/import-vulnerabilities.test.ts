import { newId, recomputeOverview } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addAssets, importCsv, reportOf, runImport, uploadCsv } from '../../testing/import-csv.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const records = () =>
  harness.inside((trx) => trx.selectFrom('vulnerability').selectAll().orderBy('name').execute());

const noun = 'vulnerabilities';

it('a vector in a file decides score and version, and an invalid one fails its row', async () => {
  const { id } = await importCsv(harness, {
    noun,
    csv: [
      'Name;Description;Severity;CVSS;CVSS vector;CWE;Status',
      'One;x;7,5;1;CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H;CWE-79, 89;FIXED',
      'Two;x;5;;CVSS:3.1/AV:Q;;',
      'Three;x;5;4.3;;;',
    ].join('\n'),
  });
  expect(await records()).toMatchObject([
    {
      name: 'One',
      severity: 7.5,
      cvss_score: 9.8,
      cvss_version: '3.1',
      cwe: ['CWE-79', 'CWE-89'],
      status: 'fixed',
    },
    { name: 'Three', cvss_score: 4.3, cvss_version: '', status: 'open' },
  ]);
  expect(await reportOf(harness, id)).toMatchObject([
    { action: 'created' },
    { line: 3, action: 'failed', field: 'cvssVector' },
    { action: 'created' },
  ]);
});

it('an empty vector in a file clears the vector and the version of a record', async () => {
  const header = 'Name,Description,Severity,CVSS,CVSS vector';
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  await importCsv(harness, { noun, csv: `${header}\nOne,x,7,,${vector}` });
  const { result } = await importCsv(harness, { noun, csv: `${header}\nOne,x,7,4.3,` });
  expect(result).toMatchObject({ updated: 1, failed: 0 });
  expect(await records()).toMatchObject([{ cvss_vector: '', cvss_version: '', cvss_score: 4.3 }]);
});

it('a number that no column can hold fails its row alone', async () => {
  const { id, result } = await importCsv(harness, {
    noun,
    csv: 'Name,Description,Severity,Category\nOne,x,7,99999999999\nTwo,x,7,1',
  });
  expect(result).toMatchObject({ created: 1, failed: 1 });
  expect(await reportOf(harness, id)).toMatchObject([
    { line: 2, action: 'failed', field: 'categoryId' },
    { action: 'created' },
  ]);
});

it('a row that no key finds lists the problems of its cells too', async () => {
  const { id, result } = await importCsv(harness, {
    noun,
    csv: [
      'Name;Description;Severity;Status;Discovery date;Fix date',
      ';no name;11;bogus;;',
      'One;x;5;open;;',
      'One;;12;open;;',
      ';no name;5;open;2026-02-02;2026-01-01',
      ';;5;open;;',
    ].join('\n'),
  });
  expect(result).toMatchObject({ created: 1, failed: 4 });
  const noName = 'The row has no Name, which finds existing vulnerabilities.';
  expect((await reportOf(harness, id)).filter(({ action }) => action === 'failed')).toMatchObject([
    {
      field: 'name',
      problem: `${noName} Severity: Must be 10 or less. Status: Use one of Open, Mitigated, Fixed, Accepted.`,
    },
    {
      field: 'name',
      problem: 'Line 3 has the same Name. Severity: Must be 10 or less. Enter a description.',
    },
    { field: 'name', problem: `${noName} The fix date must not be before the discovery date.` },
    { field: 'name', problem: `${noName} Enter a description.` },
  ]);
});

it('a changed field of an imported record counts as edited, so that an extraction leaves it alone, until the undo', async () => {
  const report = bundle([vulnerability({ cves: ['CVE-2024-1001'] })]);
  const { fileId } = await harness.read('a.json', report);
  await harness.extract(fileId);
  const [before] = await records();
  const { id, result } = await importCsv(harness, {
    noun,
    key: 'cveId',
    csv: 'CVE,Name,Description,Solution\ncve-2024-1001,Renamed,,Update it',
  });
  expect(result).toMatchObject({ updated: 1, failed: 0 });
  await harness.extract(fileId);
  const [after] = await records();
  expect(after).toMatchObject({
    name: 'Renamed',
    description: before?.description,
    solution: 'Update it',
    edited_fields: ['name', 'solution'],
  });
  expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ restored: 1, kept: 0 });
  expect((await records())[0]).toMatchObject({
    name: before?.name,
    solution: before?.solution,
    edited_fields: [],
  });
});

it('a file with the texts of records, which reading composes, changes nothing: later reports still update them', async () => {
  const report = (version: number) =>
    bundle([
      vulnerability({
        id: 'vulnerability--00000000-0000-4000-8000-000000000001',
        name: 'Pin',
        description: `Cafe\u0301 version ${version}`,
        modified: `2025-0${version}-01T00:00:00.000Z`,
      }),
    ]);
  const first = await harness.read('a.json', report(1));
  await harness.extract(first.fileId);
  const { result } = await importCsv(harness, { noun, csv: 'Name,Description\nPin,Cafe\u0301 version 1' });
  expect(result).toMatchObject({ updated: 0, unchanged: 1 });
  const second = await harness.read('b.json', report(2));
  await harness.extract(second.fileId);
  expect(await records()).toMatchObject([{ description: 'Cafe\u0301 version 2', edited_fields: [] }]);
});

it('records whose names are not plain, as those of earlier versions, are found by them and by nothing else', async () => {
  const row = (name: string) => ({
    organization_id: harness.organizationId,
    id: newId(),
    name,
    description: 'x',
    severity: 5,
  });
  const names = ['Log4Shell', 'Log\u200B4Shell', 'Apache\u00A0Struts'];
  await harness.inside((trx) => trx.insertInto('vulnerability').values(names.map(row)).execute());
  const csv = [
    'Name,Description,Severity',
    ...[...names, 'Spring\u00A0Shell'].map((name) => `${name},x,5`),
  ].join('\n');
  expect((await importCsv(harness, { noun, csv })).result).toMatchObject({
    unchanged: 3,
    created: 1,
    failed: 0,
  });
  expect((await records()).map(({ name }) => name).toSorted()).toEqual([...names, 'Spring Shell'].toSorted());
  const again = await importCsv(harness, { noun, csv: 'Name,Description\nSpring\u00A0Sh\u200Bell,x' });
  expect(again.result).toMatchObject({ unchanged: 1, created: 0 });
});

it('the severity of an imported record follows the CVSS of a file, unless the file or a person enters one', async () => {
  const names = ['Entered', 'Follows', 'Own', 'Same'];
  const report = bundle(names.map((name) => vulnerability({ name })));
  await harness.extract((await harness.read('a.json', report)).fileId);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ severity: 6, edited_fields: ['severity'] })
      .where('name', '=', 'Own')
      .execute(),
  );
  const severities = async () =>
    (await records()).map((row) => [row.severity, row.cvss_score, row.edited_fields.includes('severity')]);
  const before = await severities();
  const { id } = await importCsv(harness, {
    noun,
    csv: 'Name,CVSS,Severity\nEntered,5,7\nFollows,5,\nOwn,5,\nSame,5,5',
  });
  expect(await severities()).toEqual([
    [7, 5, true],
    [5, 5, false],
    [6, 5, true],
    [5, 5, false],
  ]);
  expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ restored: 4, kept: 0 });
  expect(await severities()).toEqual(before);
  await importCsv(harness, {
    noun,
    csv: 'Name,CVSS vector\nFollows,CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  });
  expect((await severities())[1]).toEqual([9.8, 9.8, false]);
});

it('the severity of a new record is its CVSS score where the file has no number for it', async () => {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const imported = async (csv: string) => {
    const { result } = await importCsv(harness, { noun, csv });
    const severities = Object.fromEntries((await records()).map(({ name, severity }) => [name, severity]));
    return { result, severities };
  };
  const unmapped = await imported(
    `Title,Severity,Description,CVSS vector\nVector,Critical,x,${vector}\nNone,High,x,`,
  );
  expect(unmapped.result).toMatchObject({ created: 1, failed: 1 });
  expect(unmapped.severities).toEqual({ Vector: 9.8 });
  const mapped = await imported('Name,Severity,Description,CVSS\nEntered,3,x,5\nScore,,x,5');
  expect(mapped.result).toMatchObject({ created: 2, failed: 0 });
  expect(mapped.severities).toEqual({ Vector: 9.8, Entered: 3, Score: 5 });
});

it('a record is related to assets by name, and the undo removes exactly these relations', async () => {
  await addAssets(harness, ['Door', 'Lamp', 'Same', 'Same']);
  const links = () =>
    harness.inside((trx) =>
      trx
        .selectFrom('vulnerability_asset')
        .innerJoin('asset', 'asset.id', 'vulnerability_asset.asset_id')
        .select(['asset.name', 'asset.vulnerability_count as count'])
        .orderBy('asset.name')
        .execute(),
    );
  const rows = ['Name,Description,Severity,Affected assets', 'One,x,5,Door'];
  await importCsv(harness, { noun, csv: rows.join('\n') });
  harness.recorded.events.length = 0;
  const { id } = await importCsv(harness, {
    noun,
    csv: [rows[0], 'One,x,5,"Lamp; Door"', 'Two,x,5,Same', 'Three,x,5,Nothing'].join('\n'),
  });
  expect(await links()).toEqual([
    { name: 'Door', count: 1 },
    { name: 'Lamp', count: 1 },
  ]);
  expect(harness.recorded.events.map(({ type }) => type)).toContain('asset.changed');
  expect(await reportOf(harness, id)).toMatchObject([
    { action: 'updated' },
    { action: 'failed', problem: '2 assets are named Same.' },
    { action: 'failed', problem: 'No asset is named Nothing.' },
  ]);
  harness.recorded.events.length = 0;
  await runImport(harness, id, 'csv.undo');
  expect(await links()).toEqual([{ name: 'Door', count: 1 }]);
  // Lamp lost its vulnerability; Door lost and got its own again.
  expect(harness.recorded.events.filter(({ type }) => type === 'asset.changed')).toMatchObject([
    { action: 'updated', count: 2 },
  ]);
});

it('a failed row names all its problems, at most five of them', async () => {
  const vector = 'CVSS:3.1/AV:Q';
  const { id } = await importCsv(harness, {
    noun,
    csv: [
      'Name,Description,CVE,Severity,Category,Exploitability,Impact,Discovery date,CVSS vector',
      'Two,x,BADCVE,11,,,,,',
      'Missing,,BADCVE,5,,,,,',
      `Many,x,BADCVE,11,Nothing,11,11,never,${vector}`,
    ].join('\n'),
  });
  const [two, missing, many] = await reportOf(harness, id);
  expect(two).toMatchObject({ line: 2, action: 'failed', field: 'cveId' });
  expect(two?.problem).toMatch(/^\S[^:]+\. Severity: \S[^:]+\.$/u);
  expect(missing?.field).toBe('cveId');
  expect(missing?.problem).toMatch(/\. Enter a description\.$/u);
  expect(many?.problem?.match(/[A-Z][\w ]+: /gu)).toHaveLength(4);
  expect(many?.problem).toMatch(/ And 2 more problems\.$/u);
});

it('a row with a fix date before its discovery date, or that of its record, fails; a stored pair of days is kept', async () => {
  await importCsv(harness, {
    noun,
    csv: 'Name,Description,Severity,Discovery date\nOne,x,5,2026-03-05\nOld,x,5,2026-03-05',
  });
  await harness.inside((trx) =>
    trx.updateTable('vulnerability').set({ fix_date: '2026-03-01' }).where('name', '=', 'Old').execute(),
  );
  const early = { field: 'fixDate', problem: 'The fix date must not be before the discovery date.' };
  const { id } = await importCsv(harness, {
    noun,
    csv: [
      'Name,Description,Severity,Fix date',
      'One,x,5,2026-03-04',
      'Old,y,5,2026-03-01',
      'New,x,5,2026-03-01',
    ].join('\n'),
  });
  expect(await reportOf(harness, id)).toMatchObject([
    { action: 'failed', ...early },
    { action: 'updated' },
    { action: 'created' },
  ]);
  const both = await importCsv(harness, {
    noun,
    csv: [
      'Name,Description,Severity,Discovery date,Fix date',
      'Both,x,5,2026-03-05,2026-03-04',
      'Same day,x,5,2026-03-05,2026-03-05',
    ].join('\n'),
  });
  expect(await reportOf(harness, both.id)).toMatchObject([
    { action: 'failed', ...early },
    { action: 'created' },
  ]);
});

it('a dry run counts rows with the CVE of another record, and rows with a fix date that are not fixed', async () => {
  await importCsv(harness, {
    noun,
    csv: 'Name,Description,Severity,CVE,Status\nOne,x,5,CVE-2024-1001,fixed',
  });
  const upload = {
    noun,
    csv: [
      'Name,Description,Severity,CVE,Fix date',
      'One,x,5,CVE-2024-1001,2026-03-01',
      'Other name,x,5,cve-2024-1001,',
      'New,x,5,,2026-03-01',
    ].join('\n'),
  } as const;
  const check = async (change: Partial<Parameters<typeof uploadCsv>[1]> = {}) =>
    runImport(harness, await uploadCsv(harness, { ...upload, ...change }), 'csv.check');
  expect(await check()).toEqual({
    rows: 3,
    created: 2,
    updated: 1,
    unchanged: 0,
    failed: 0,
    sharedCve: 1,
    fixDateUnfixed: 1,
  });
  const found = await check({ key: 'cveId', fields: { 'Fix date': null } });
  expect(found).not.toHaveProperty('sharedCve');
  expect(found).not.toHaveProperty('fixDateUnfixed');
});

it('created and updated vulnerabilities count their assets, and the assets and the overview count them', async () => {
  await addAssets(harness, ['crane', 'gate', 'lamp']);
  await harness.inside((trx) =>
    trx.updateTable('asset').set({ criticality: 4 }).where('name', '=', 'crane').execute(),
  );
  const header = 'CVE,Name,Description,Severity,Affected assets';
  const importRows = (rows: readonly string[]) =>
    importCsv(harness, { noun, key: 'cveId', csv: [header, ...rows].join('\n') });
  await importRows(['CVE-2031-0001,One,x,9,gate; lamp', 'CVE-2031-0002,Two,x,7,']);
  await importRows([
    'CVE-2031-0001,One,x,9,crane; lamp',
    'CVE-2031-0003,Three,x,9,crane',
    'CVE-2031-0003,Three,x,9,crane; gate',
    'CVE-2031-0004,Four,x,9,',
  ]);
  const counts = (await records()).map((one) => [one.name, one.asset_count, one.critical_asset_count]);
  expect(counts).toEqual([
    ['Four', 0, 0],
    ['One', 2, 1],
    ['Three', 2, 1],
    ['Two', 0, 0],
  ]);
  const assets = await harness.inside((trx) =>
    trx.selectFrom('asset').select(['name', 'vulnerability_count']).orderBy('name').execute(),
  );
  expect(assets.map((one) => [one.name, one.vulnerability_count])).toEqual([
    ['crane', 2],
    ['gate', 1],
    ['lamp', 1],
  ]);
  expect(await harness.inside(recomputeOverview)).toMatchObject({ repaired: [], recounted: 0 });
});
