import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAssets, importCsv, reportOf, runImport, uploadCsv } from '../../testing/import-csv.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  await addAssets(harness, ['crane', 'gate', 'lamp', 'pump']);
});

/** Each vulnerability with the names of its assets. */
const records = () =>
  harness.inside(async (trx) => {
    const rows = await trx
      .selectFrom('vulnerability')
      .leftJoin('vulnerability_asset', 'vulnerability_asset.vulnerability_id', 'vulnerability.id')
      .leftJoin('asset', 'asset.id', 'vulnerability_asset.asset_id')
      .select(['vulnerability.cve_id as cve', 'asset.name as asset'])
      .orderBy('cve')
      .orderBy('asset')
      .execute();
    return Object.groupBy(rows, ({ cve }) => cve);
  });
const assetsOf = async () =>
  Object.fromEntries(
    Object.entries(await records()).map(([cve, rows = []]) => [
      cve,
      rows.flatMap(({ asset }) => asset ?? []),
    ]),
  );

const header = 'CVE,Name,Description,Severity,Affected assets';
const run = (lines: readonly string[], kind?: 'csv.check') => {
  const upload = { noun: 'vulnerabilities', key: 'cveId', csv: [header, ...lines].join('\n') } as const;
  if (kind === undefined) return importCsv(harness, upload);
  return uploadCsv(harness, upload).then(async (id) => ({ id, result: await runImport(harness, id, kind) }));
};

describe('rows with one key', () => {
  it('and the same values are one vulnerability, which affects the assets of all, until the undo', async () => {
    const { id, result } = await run([
      'CVE-2031-0001,One,x,5,crane',
      'CVE-2031-0002,Two,x,7,gate',
      'CVE-2031-0001,One,x,5,gate; lamp',
      'CVE-2031-0001,One,x,5,',
      'CVE-2031-0001,One,x,5,crane',
    ]);
    expect(result).toMatchObject({ rows: 5, created: 2, updated: 0, unchanged: 3, failed: 0 });
    expect(await assetsOf()).toEqual({
      'CVE-2031-0001': ['crane', 'gate', 'lamp'],
      'CVE-2031-0002': ['gate'],
    });
    const problem = 'Line 2 has the same CVE and the same values. Its assets are added there.';
    expect(await reportOf(harness, id)).toMatchObject([
      { line: 2, action: 'created', problem: null },
      { line: 3, action: 'created', problem: null },
      { line: 4, action: 'unchanged', field: null, problem },
      { line: 5, action: 'unchanged', problem },
      { line: 6, action: 'unchanged', problem },
    ]);
    const ids = await harness.inside((trx) =>
      trx
        .selectFrom('csv_import_row')
        .select('record_id as id')
        .where('import_id', '=', id)
        .orderBy('line')
        .execute(),
    );
    expect(ids[2]).toEqual(ids[0]);
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ deleted: 2, kept: 0 });
    expect(await assetsOf()).toEqual({});
  });

  it('are the same in a dry run and in the import', async () => {
    const lines = ['CVE-2031-0001,One,x,5,crane', 'CVE-2031-0001,One,x,5,gate', 'CVE-2031-0001,One,x,6,lamp'];
    const { id, result } = await run(lines, 'csv.check');
    expect(result).toMatchObject({ created: 1, unchanged: 1, failed: 1 });
    expect(await assetsOf()).toEqual({});
    const checked = await reportOf(harness, id);
    expect(await runImport(harness, id, 'csv.import')).toMatchObject({ created: 1, unchanged: 1, failed: 1 });
    const imported = await reportOf(harness, id);
    expect(imported.map(({ action, problem }) => ({ action, problem }))).toEqual(
      checked.map(({ action, problem }) => ({ action, problem })),
    );
  });

  it('and another value fail, and name the column', async () => {
    const { id } = await run([
      'CVE-2031-0001,One,x,5,crane',
      'CVE-2031-0001,One,y,5,gate',
      'CVE-2031-0001,One,x,5,lamp',
    ]);
    expect(await assetsOf()).toEqual({ 'CVE-2031-0001': ['crane', 'lamp'] });
    expect((await reportOf(harness, id))[1]).toMatchObject({
      action: 'failed',
      field: 'cveId',
      problem: 'Line 2 has the same CVE and another Description.',
    });
  });

  it('of which some name unknown assets are imported with the others', async () => {
    const { id, result } = await run([
      'CVE-2031-0001,One,x,5,nothing',
      'CVE-2031-0001,One,x,5,gate',
      'CVE-2031-0001,One,x,5,lamp; void',
      'CVE-2031-0001,One,x,5,pump',
    ]);
    expect(result).toMatchObject({ created: 1, unchanged: 1, failed: 2 });
    expect(await assetsOf()).toEqual({ 'CVE-2031-0001': ['gate', 'pump'] });
    expect(await reportOf(harness, id)).toMatchObject([
      { action: 'failed', problem: 'No asset is named nothing.' },
      { action: 'created' },
      { action: 'failed', problem: 'No asset is named void.' },
      {
        action: 'unchanged',
        problem: 'Line 3 has the same CVE and the same values. Its assets are added there.',
      },
    ]);
  });

  it('change a known vulnerability only if its assets are not those of all rows together', async () => {
    const lines = ['CVE-2031-0001,One,x,5,crane', 'CVE-2031-0001,One,x,5,gate'];
    await run(lines);
    const again = await run(lines.toReversed());
    expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    const { id, result } = await run(['CVE-2031-0001,One,x,5,', ...lines, 'CVE-2031-0001,One,x,5,lamp']);
    expect(result).toMatchObject({ updated: 1, unchanged: 3 });
    expect(await assetsOf()).toEqual({ 'CVE-2031-0001': ['crane', 'gate', 'lamp'] });
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ restored: 1 });
    expect(await assetsOf()).toEqual({ 'CVE-2031-0001': ['crane', 'gate'] });
  });

  it('are one vulnerability also in a file without assets', async () => {
    const { id, result } = await importCsv(harness, {
      noun: 'vulnerabilities',
      csv: ['Name,Description,Severity,Host', 'One,x,5,a', 'One,x,5,b'].join('\n'),
      fields: { Host: null },
    });
    expect(result).toMatchObject({ created: 1, unchanged: 1, failed: 0 });
    expect((await reportOf(harness, id))[1]).toMatchObject({
      problem: 'Line 2 has the same Name and the same values.',
    });
  });
});
