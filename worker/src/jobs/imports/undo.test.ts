import { deleteAssets, lockAssets, newId, relateRecords, restoreAssets, setRelated } from '@riskboard/db';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockWaits } from '../../testing/crash-points.ts';
import { findImport, importCsv, reportOf, runImport } from '../../testing/import-csv.ts';
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
  const { organizationId } = harness;
  await harness.inside((trx) =>
    trx
      .insertInto('project')
      .values({ organization_id: organizationId, id: newId(), name: 'Harbour', start_date: '2026-01-01' })
      .execute(),
  );
});

const header = 'Name,Description,Type,Criticality,Reference,Project,Related assets';
const csv = (...rows: string[]): string => [header, ...rows].join('\n');

/** What assets say, without versions and times; relations by name. */
const state = async (of: TestHarness) => {
  const { rows } = await of.inside((trx) =>
    sql<{ name: string }>`
      select a.name, a.description, a.criticality, a.reference, array(
        select c.name from asset_relation r join asset c on c.id = r.related_id where r.asset_id = a.id order by 1
      ) as related
      from asset a where a.organization_id = current_organization() order by a.name`.execute(trx),
  );
  return rows;
};

const change = (name: string, set: object) =>
  harness.inside((trx) =>
    trx
      .updateTable('asset')
      .set({ ...set, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
      .where('name', '=', name)
      .execute(),
  );

describe('the undo of an import', () => {
  it('moves created assets to the trash and gives updated ones their former values', async () => {
    await importCsv(harness, { csv: csv('A,first,Hardware,Low,,Harbour,B', 'B,first,Hardware,,,Harbour,') });
    const before = await state(harness);
    const { id } = await importCsv(harness, {
      csv: csv(
        'A,second,Hardware,,R,Harbour,C',
        'B,second,Hardware,High,,Harbour,',
        'C,new,Hardware,,,Harbour,B',
      ),
    });
    expect(await runImport(harness, id, 'csv.undo')).toEqual({
      records: 3,
      deleted: 1,
      restored: 2,
      kept: 0,
    });
    expect(await state(harness)).toEqual(before);
    expect(await findImport(harness, id)).toMatchObject({ state: 'undone', undo: { restored: 2 } });
    const trash = await harness.inside((trx) => trx.selectFrom('deleted_record').select('noun').execute());
    expect(trash).toEqual([{ noun: 'asset' }]);
  });

  it('keeps what was changed or deleted since, field by field, and reports it', async () => {
    await importCsv(harness, { csv: csv('A,first,Hardware,Low,,Harbour,', 'B,first,Hardware,,,Harbour,') });
    const { id } = await importCsv(harness, {
      csv: csv(
        'A,second,Hardware,High,,Harbour,',
        'B,second,Hardware,,,Harbour,',
        'C,new,Hardware,,,Harbour,',
      ),
    });
    await change('A', { criticality: 5 });
    await change('C', { reference: 'entered later' });
    await harness.inside(async (trx) => {
      const b = await trx.selectFrom('asset').select('id').where('name', '=', 'B').executeTakeFirstOrThrow();
      await deleteAssets(trx, { ids: [b.id], by: null });
    });
    expect(await runImport(harness, id, 'csv.undo')).toEqual({
      records: 3,
      deleted: 0,
      restored: 0,
      kept: 3,
    });
    expect(await state(harness)).toMatchObject([
      { name: 'A', description: 'first', criticality: 5 },
      { name: 'C', reference: 'entered later' },
    ]);
    expect(await reportOf(harness, id)).toMatchObject([
      { action: 'kept', problem: 'Changed since the import: Criticality.' },
      { action: 'kept', problem: 'Deleted since the import.' },
      { action: 'kept', problem: 'Kept, because it was changed since the import.' },
    ]);
  });

  it('gives fields that are no longer edited what the reports say now', async () => {
    const reported = vulnerability({ cves: ['CVE-2024-1000'], name: 'Overflow', description: 'first' });
    await harness.extract((await harness.read('a.json', bundle([reported]))).fileId);
    const csvText = 'Name,Description\nOverflow,mine';
    const { id } = await importCsv(harness, { noun: 'vulnerabilities', csv: csvText });
    const newer = { ...reported, description: 'second', modified: '2030-01-01T00:00:00.000Z' };
    await harness.extract((await harness.read('b.json', bundle([newer]))).fileId);
    await runImport(harness, id, 'csv.undo');
    const row = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').select(['description', 'edited_fields']).executeTakeFirst(),
    );
    expect(row).toEqual({ description: 'second', edited_fields: [] });
  });

  it.each([
    ['stay edited when its report was deleted', true, ['description']],
    ['are no longer edited when its report withdraws it', false, []],
  ])('the fields of a vulnerability %s', async (_, isDeleted, fields) => {
    const reported = vulnerability({ cves: ['CVE-2024-1000'], name: 'Overflow', description: 'first' });
    const { fileId } = await harness.read('a.json', bundle([reported]));
    await harness.extract(fileId);
    const csvText = 'Name,Description\nOverflow,mine';
    const { id } = await importCsv(harness, { noun: 'vulnerabilities', csv: csvText });
    if (isDeleted) await harness.remove(fileId);
    else await harness.read('a.json', bundle([{ ...reported, revoked: true }]));
    await runImport(harness, id, 'csv.undo');
    const row = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').select(['description', 'edited_fields']).executeTakeFirst(),
    );
    expect(row).toEqual({ description: 'first', edited_fields: fields });
  });

  it.each([
    [
      'assets',
      header,
      ['A,first,Hardware,,,Harbour,B', 'B,first,Hardware,,,Harbour,'],
      'A,second,Data,,,Harbour,',
    ],
    ['vulnerabilities', 'Name,Description,Severity', ['A,first,5', 'B,first,5'], 'A,second,9.5'],
  ] as const)(
    'deletes created %s whose later import was undone first',
    async (noun, columns, rows, later) => {
      const first = await importCsv(harness, { noun, csv: [columns, ...rows].join('\n') });
      const second = await importCsv(harness, { noun, csv: [columns, later].join('\n') });
      expect(await runImport(harness, second.id, 'csv.undo')).toMatchObject({ restored: 1, kept: 0 });
      expect(await runImport(harness, first.id, 'csv.undo')).toMatchObject({ deleted: 2, kept: 0 });
    },
  );

  it('deletes created records whose edits were taken back, and keeps those with other relations', async () => {
    await importCsv(harness, { csv: csv('Site,x,Hardware,,,Harbour,', 'Yard,x,Hardware,,,Harbour,') });
    const assets = await importCsv(harness, {
      csv: csv('Edited,x,Hardware,,,Harbour,Site', 'Moved,x,Hardware,,,Harbour,Site'),
    });
    const columns = 'Name,Description,Severity,Related assets';
    const vulnerabilities = await importCsv(harness, {
      noun: 'vulnerabilities',
      csv: [columns, 'Edited,x,5,Site', 'Moved,x,5,Site'].join('\n'),
    });
    for (const [description, related] of [
      ['y', 'Yard'],
      ['x', 'Site'],
    ] as const) {
      await importCsv(harness, { csv: csv(`Edited,${description},Hardware,,,Harbour,${related}`) });
      await importCsv(harness, {
        noun: 'vulnerabilities',
        csv: [columns, `Edited,${description},5,${related}`].join('\n'),
      });
    }
    await importCsv(harness, { csv: csv('Moved,x,Hardware,,,Harbour,Yard') });
    await importCsv(harness, { noun: 'vulnerabilities', csv: [columns, 'Moved,x,5,Yard'].join('\n') });
    expect(await runImport(harness, vulnerabilities.id, 'csv.undo')).toMatchObject({ deleted: 1, kept: 1 });
    expect(await runImport(harness, assets.id, 'csv.undo')).toMatchObject({ deleted: 1, kept: 1 });
    expect(await namesOf('vulnerability')).toEqual(['Moved']);
    expect(await namesOf('asset')).toEqual(['Moved', 'Site', 'Yard']);
  });

  it('is refused while its records are in the trash, and possible after their restoration', async () => {
    const { id } = await importCsv(harness, {
      csv: csv('A,x,Hardware,,,Harbour,', 'B,x,Hardware,,,Harbour,A'),
    });
    const idOf = await idsOf('asset');
    const ids = [idOf('A'), idOf('B')];
    await harness.inside((trx) => deleteAssets(trx, { ids, by: null }));
    expect(await runImport(harness, id, 'csv.undo')).toEqual({
      state: 'failed',
      error:
        'Nothing can be undone while assets of this import are in the trash. Restore them, then undo the import.',
    });
    expect(await findImport(harness, id)).toMatchObject({ state: 'imported', undo: null });
    expect((await reportOf(harness, id)).map(({ action }) => action)).toEqual(['created', 'created']);
    await harness.inside((trx) => restoreAssets(trx, ids));
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ deleted: 2, kept: 0 });
  });

  it('ends when its records were deleted from the trash', async () => {
    const { id } = await importCsv(harness, { csv: csv('A,x,Hardware,,,Harbour,') });
    const ids = [(await idsOf('asset'))('A')];
    await harness.inside((trx) => deleteAssets(trx, { ids, by: null }));
    await harness.inside((trx) => trx.deleteFrom('deleted_record').execute());
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ deleted: 0, kept: 1 });
    expect(await findImport(harness, id)).toMatchObject({ state: 'undone' });
  });

  it('is refused for a file that is not imported, and for one that is undone already', async () => {
    const { id } = await importCsv(harness, { csv: csv('A,first,Hardware,,,Harbour,') });
    await runImport(harness, id, 'csv.undo');
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ state: 'failed' });
  });
});

/** Ids by name. */
const idsOf = async (table: 'asset' | 'vulnerability') => {
  const rows = await harness.inside((trx) => trx.selectFrom(table).select(['id', 'name']).execute());
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  return (name: string): string => ids.get(name) ?? '';
};

const namesOf = async (table: 'asset' | 'vulnerability') =>
  (await harness.inside((trx) => trx.selectFrom(table).select('name').orderBy('name').execute())).map(
    ({ name }) => name,
  );

const setFactor = (id: string) => sql`
  insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
  values (current_organization(), ${id}, 'EC', 'N', 0, 'A firewall blocks it')`;

describe('the undo of an import keeps what users did without a new version of a record', () => {
  it('keeps vulnerabilities whose CWSS factors were set, and none that was only calculated', async () => {
    const { id } = await importCsv(harness, {
      noun: 'vulnerabilities',
      csv: 'Name,Description,Severity\nFactors,x,5\nScored,x,5\nUntouched,x,5',
    });
    const idOf = await idsOf('vulnerability');
    await harness.inside(async (trx) => {
      await setFactor(idOf('Factors')).execute(trx);
      await sql`update vulnerability set cwss_score = 50, cwss_version = 1 where name = 'Scored'`.execute(
        trx,
      );
    });
    expect(await runImport(harness, id, 'csv.undo')).toEqual({
      records: 3,
      deleted: 2,
      restored: 0,
      kept: 1,
    });
    expect(await namesOf('vulnerability')).toEqual(['Factors']);
    expect((await reportOf(harness, id))[0]).toMatchObject({
      action: 'kept',
      problem: 'Kept, because its CWSS factors were changed since the import.',
    });
  });

  it('waits for factors that are being set, and reports the vulnerability as kept', async () => {
    const { id } = await importCsv(harness, {
      noun: 'vulnerabilities',
      csv: 'Name,Description,Severity\nFactors,x,5\nUntouched,x,5',
    });
    const idOf = await idsOf('vulnerability');
    let undone: Promise<unknown> | undefined;
    await harness.inside(async (trx) => {
      await setFactor(idOf('Factors')).execute(trx);
      undone = runImport(harness, id, 'csv.undo');
      await lockWaits(harness.database);
    });
    expect(await undone).toEqual({ records: 2, deleted: 1, restored: 0, kept: 1 });
    expect(await namesOf('vulnerability')).toEqual(['Factors']);
  });

  it('keeps assets with relations that the import did not write, whichever record they were made from', async () => {
    await importCsv(harness, { csv: csv('Site,x,Hardware,,,Harbour,') });
    await importCsv(harness, { noun: 'vulnerabilities', csv: 'Name,Description,Severity\nOverflow,x,5' });
    const threat = newId();
    await harness.inside((trx) =>
      trx
        .insertInto('threat')
        .values({ organization_id: harness.organizationId, id: threat, name: 'Flood' })
        .execute(),
    );
    const { id } = await importCsv(harness, {
      csv: csv(
        'Weak,x,Hardware,,,Harbour,',
        'Threatened,x,Hardware,,,Harbour,',
        'Placed,x,Hardware,,,Harbour,',
        'Parent,x,Hardware,,,Harbour,Child',
        'Child,x,Hardware,,,Harbour,',
        'Late,x,Hardware,,,Harbour,',
        'Site,y,Hardware,,,Harbour,Inside',
        'Inside,x,Hardware,,,Harbour,',
      ),
    });
    const [asset, vulnerability] = [await idsOf('asset'), await idsOf('vulnerability')];
    const none = { threats: [], vulnerabilities: [] };
    await harness.inside(async (trx) => {
      await lockAssets(trx);
      for (const [name, add] of [
        ['Weak', { ...none, vulnerabilities: [vulnerability('Overflow')] }],
        ['Threatened', { ...none, threats: [threat] }],
      ] as const) {
        const relations = await relateRecords(trx, { change: { add, remove: none }, by: null });
        await relations.relate([asset(name)]);
        await relations.finish();
      }
      await setRelated(trx, { id: asset('Site'), related: [asset('Inside'), asset('Placed')] });
      await setRelated(trx, { id: asset('Parent'), related: [asset('Child'), asset('Late')] });
    });
    await change('Parent', {});
    await runImport(harness, id, 'csv.undo');
    const related = 'Kept, because it was related to other records since the import.';
    expect(await namesOf('asset')).toEqual(['Late', 'Parent', 'Placed', 'Site', 'Threatened', 'Weak']);
    expect((await reportOf(harness, id)).map(({ problem }) => problem)).toEqual([
      related,
      related,
      related,
      'Kept, because it was changed since the import.',
      null,
      related,
      'Changed since the import: Related assets.',
      null,
    ]);
  });

  it('deletes the assets of an import of an earlier version with the relations among them', async () => {
    const { id } = await importCsv(harness, {
      csv: csv('Parent,x,Hardware,,,Harbour,Child', 'Child,x,Hardware,,,Harbour,'),
    });
    await harness.inside((trx) => trx.updateTable('csv_import_row').set({ written_related: null }).execute());
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ deleted: 2, kept: 0 });
  });

  it('deletes records of which only a related asset was deleted and restored', async () => {
    await importCsv(harness, { csv: csv('Site,x,Hardware,,,Harbour,') });
    const assets = await importCsv(harness, { csv: csv('Parent,x,Hardware,,,Harbour,Site') });
    const vulnerabilities = await importCsv(harness, {
      noun: 'vulnerabilities',
      csv: 'Name,Description,Severity,Related assets\nOverflow,x,5,Site',
    });
    const ids = [(await idsOf('asset'))('Site')];
    await harness.inside((trx) => deleteAssets(trx, { ids, by: null }));
    await harness.inside((trx) => restoreAssets(trx, ids));
    const { version } = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').select('version').executeTakeFirstOrThrow(),
    );
    expect(version).toBe(2);
    expect(await runImport(harness, vulnerabilities.id, 'csv.undo')).toMatchObject({ deleted: 1, kept: 0 });
    expect(await runImport(harness, assets.id, 'csv.undo')).toMatchObject({ deleted: 1, kept: 0 });
    expect(await namesOf('asset')).toEqual(['Site']);
  });
});

const names = ['A', 'B', 'C', 'D'] as const;
const rows = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    description: fc.constantFrom('one', 'two', '"three, with ""quotes"""', "'=four"),
    criticality: fc.constantFrom('', 'Low', '5'),
    reference: fc.constantFrom('', 'R-1'),
    related: fc.subarray([...names]).map((some) => some.join('; ')),
  }),
  { selector: ({ name }) => name, minLength: 1 },
);
const file = rows.map((all) =>
  csv(
    ...all.map(
      ({ name, description, criticality, reference, related }) =>
        `${name},${description},Hardware,${criticality},${reference},Harbour,${related}`,
    ),
  ),
);

it('any import that is undone leaves everything as it was before, and relations never form a cycle', async () => {
  let changed = 0;
  const property = fc.asyncProperty(file, file, async (first, second) => {
    await importCsv(harness, { csv: first });
    const before = await state(harness);
    const { id, result } = await importCsv(harness, { csv: second });
    const { created, updated } = result as { created: number; updated: number };
    changed += created + updated;
    const { rows: cycles } = await harness.inside((trx) =>
      sql`
        with recursive walk (start, at) as (
          select asset_id, related_id from asset_relation where organization_id = current_organization()
          union select walk.start, r.related_id from walk join asset_relation r on r.asset_id = walk.at
        )
        select from walk where start = at`.execute(trx),
    );
    expect(cycles).toEqual([]);
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({
      deleted: created,
      restored: updated,
      kept: 0,
    });
    expect(await state(harness)).toEqual(before);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: 15 });
  expect(changed).toBeGreaterThan(10);
});
