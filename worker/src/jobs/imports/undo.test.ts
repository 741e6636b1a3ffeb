import { deleteAssets, newId } from '@riskboard/db';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
      .set({ ...set, version: sql<number>`version + 1` })
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

  it('is refused for a file that is not imported, and for one that is undone already', async () => {
    const { id } = await importCsv(harness, { csv: csv('A,first,Hardware,,,Harbour,') });
    await runImport(harness, id, 'csv.undo');
    expect(await runImport(harness, id, 'csv.undo')).toMatchObject({ state: 'failed' });
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
