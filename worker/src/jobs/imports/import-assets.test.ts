import { newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findImport, importCsv, reportOf, runImport, uploadCsv } from '../../testing/import-csv.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let projectId: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  projectId = await makeProject('Harbour');
});

async function makeProject(name: string): Promise<string> {
  const id = newId();
  const { organizationId } = harness;
  await harness.inside((trx) =>
    trx
      .insertInto('project')
      .values({ organization_id: organizationId, id, name, start_date: '2026-01-01' })
      .execute(),
  );
  return id;
}

const assets = () =>
  harness.inside((trx) =>
    trx
      .selectFrom('asset')
      .select(['name', 'description', 'criticality', 'replacement_cost', 'is_active', 'reference', 'version'])
      .orderBy('name')
      .execute(),
  );

const relations = () =>
  harness.inside((trx) =>
    trx
      .selectFrom('asset_relation')
      .innerJoin('asset as parent', 'parent.id', 'asset_relation.asset_id')
      .innerJoin('asset as child', 'child.id', 'asset_relation.related_id')
      .select(['parent.name as parent', 'child.name as child'])
      .orderBy('parent')
      .orderBy('child')
      .execute(),
  );

const header = 'Name,Description,Type,Criticality,Replacement Cost,State,Reference,Project,Related assets';
const csv = (...rows: string[]): string => [header, ...rows].join('\r\n');

describe('an import of assets', () => {
  it('creates new assets, updates those of the same name in their project, and leaves equal ones alone', async () => {
    await importCsv(harness, {
      csv: csv(
        'Door,A door,Hardware,low,"1,200",Active,D-1,Harbour,',
        'Lamp,A lamp,Hardware,,,yes,,Harbour,',
      ),
    });
    const { id, result } = await importCsv(harness, {
      csv: csv(
        'Door,A door,1,Low,1200,true,D-1,Harbour,',
        'Lamp,A bright lamp,Hardware,5,,no,,Harbour,',
        'Gate,New,Hardware,,,,,Harbour,',
      ),
    });
    expect(result).toEqual({ rows: 3, created: 1, updated: 1, unchanged: 1, failed: 0 });
    expect(await assets()).toMatchObject([
      { name: 'Door', criticality: 2, replacement_cost: 1200, version: 1 },
      { name: 'Gate', is_active: true, version: 1 },
      { name: 'Lamp', description: 'A bright lamp', criticality: 5, is_active: false, version: 2 },
    ]);
    expect((await reportOf(harness, id)).map(({ line, action }) => [line, action])).toEqual([
      [2, 'unchanged'],
      [3, 'updated'],
      [4, 'created'],
    ]);
    expect(await findImport(harness, id)).toMatchObject({ state: 'imported', counts: result });
  });

  it('fails rows of a file with semicolons whose cost can mean thousands or decimals', async () => {
    const file = [
      header.replaceAll(',', ';'),
      'Door;x;Hardware;;1.250;;;Harbour;',
      'Lamp;x;Hardware;;7,5;;;Harbour;',
    ];
    const { id, result } = await importCsv(harness, { csv: file.join('\n') });
    expect(result).toMatchObject({ created: 1, failed: 1 });
    expect(await assets()).toMatchObject([{ name: 'Lamp', replacement_cost: 7.5 }]);
    const [problem] = await reportOf(harness, id);
    expect(problem).toMatchObject({
      field: 'replacementCost',
      problem: expect.stringContaining('Write 1250 for thousands'),
    });
  });

  it('clears optional fields whose cell is empty, and leaves required ones and the state as they are', async () => {
    await importCsv(harness, { csv: csv('Door,A door,Hardware,Low,5,Inactive,D-1,Harbour,') });
    await importCsv(harness, { csv: csv('Door,,,,,,,Harbour,') });
    expect(await assets()).toMatchObject([
      { description: 'A door', criticality: null, replacement_cost: null, is_active: false, reference: '' },
    ]);
  });

  it('reports each failed row with its line, its column and the reason, and imports the others', async () => {
    await makeProject('Twice');
    await makeProject('Twice');
    const { id, result } = await importCsv(harness, {
      csv: csv(
        'One,"two\r\nlines",Hardware,enormous,,,,Harbour,',
        'Two,,Hardware,,,,,Harbour,',
        'Three,x,Hardware,,-5,,,Harbour,',
        'Four,x,Hardware,,,,,Nowhere,',
        'Five,x,Hardware,,,,,Twice,',
        'Six,x,Hardware,,,,,,',
        'Seven,x,Hardware,,,,,Harbour,',
        'Seven,x,Hardware,,,,,Harbour,',
        ',x,Hardware,,,,,Harbour,',
        'Nine,x,Hardware,,,,,Harbour,,surplus',
      ),
    });
    expect(result).toEqual({ rows: 10, created: 1, updated: 0, unchanged: 0, failed: 9 });
    expect(await reportOf(harness, id)).toEqual([
      {
        line: 2,
        action: 'failed',
        field: 'criticality',
        problem: 'Use one of Very Low, Low, Medium, High, Very High.',
      },
      { line: 4, action: 'failed', field: 'description', problem: 'Enter a description.' },
      { line: 5, action: 'failed', field: 'replacementCost', problem: 'Must be 0 or more.' },
      { line: 6, action: 'failed', field: 'projectId', problem: 'No project is named Nowhere.' },
      { line: 7, action: 'failed', field: 'projectId', problem: '2 projects are named Twice.' },
      { line: 8, action: 'failed', field: 'projectId', problem: 'Choose a project.' },
      { line: 9, action: 'created', field: null, problem: null },
      { line: 10, action: 'failed', field: 'name', problem: 'Line 9 has the same Name in its project.' },
      {
        line: 11,
        action: 'failed',
        field: 'name',
        problem: 'The row has no Name, which finds existing assets.',
      },
      { line: 12, action: 'failed', field: null, problem: 'The row has 10 cells, the header row 9.' },
    ]);
  });

  it('fails a row whose name two assets of the project have, and finds one of them by its reference', async () => {
    await harness.inside((trx) =>
      trx
        .insertInto('asset')
        .values(
          ['R-1', 'R-2'].map((reference) => ({
            organization_id: harness.organizationId,
            id: newId(),
            project_id: projectId,
            name: 'Door',
            asset_type_id: 1,
            reference,
          })),
        )
        .execute(),
    );
    const file = csv('Door,Changed,Hardware,,,,R-2,Harbour,');
    const byName = await importCsv(harness, { csv: file });
    expect(await reportOf(harness, byName.id)).toMatchObject([
      { action: 'failed', field: 'name', problem: '2 assets have this Name in its project.' },
    ]);
    const byReference = await importCsv(harness, { csv: file, key: 'reference' });
    expect(byReference.result).toMatchObject({ updated: 1 });
    expect(await assets()).toMatchObject([{ description: '' }, { description: 'Changed', reference: 'R-2' }]);
  });

  it.each(['name', 'reference'])(
    'finds existing assets by their %s where two projects have one name, and fails rows that fit none or both',
    async (key) => {
      const [first, second] = [await makeProject('Twice'), await makeProject('Twice')];
      await harness.inside((trx) =>
        trx
          .insertInto('asset')
          .values(
            [
              { name: 'Door', project: first },
              { name: 'Window', project: second },
              { name: 'Both', project: first },
              { name: 'Both', project: second },
            ].map(({ name, project }) => ({
              organization_id: harness.organizationId,
              id: newId(),
              project_id: project,
              name,
              description: 'x',
              asset_type_id: 1,
              reference: name,
            })),
          )
          .execute(),
      );
      const { id, result } = await importCsv(harness, {
        key,
        csv: csv(
          'Door,x,Hardware,,,,Door,Twice,',
          'Window,changed,Hardware,,,,Window,Twice,',
          'Both,x,Hardware,,,,Both,Twice,',
          'New,x,Hardware,,,,New,Twice,',
        ),
      });
      expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1, failed: 2 });
      const problem = '2 projects are named Twice.';
      expect((await reportOf(harness, id)).slice(2)).toEqual([
        { line: 4, action: 'failed', field: 'projectId', problem },
        { line: 5, action: 'failed', field: 'projectId', problem },
      ]);
      const changed = await harness.inside((trx) =>
        trx.selectFrom('asset').select(['name', 'project_id']).where('description', '=', 'changed').execute(),
      );
      expect(changed).toEqual([{ name: 'Window', project_id: second }]);
    },
  );

  it('relates assets by name, also to rows further down, and fails rows that close a cycle or name nothing', async () => {
    const { id, result } = await importCsv(harness, {
      csv: csv(
        'Shop,x,Hardware,,,,,Harbour,Database; Network',
        'Database,x,Hardware,,,,,Harbour,Network',
        'Network,x,Hardware,,,,,Harbour,',
        'A,x,Hardware,,,,,Harbour,B',
        'B,x,Hardware,,,,,Harbour,C',
        'C,x,Hardware,,,,,Harbour,A',
        'Self,x,Hardware,,,,,Harbour,Self',
        'Lost,x,Hardware,,,,,Harbour,Nothing',
        'Child of lost,x,Hardware,,,,,Harbour,Lost',
      ),
    });
    expect(await relations()).toEqual(
      [
        { parent: 'Shop', child: 'Database' },
        { parent: 'Shop', child: 'Network' },
        { parent: 'Database', child: 'Network' },
      ].toSorted((a, b) => a.parent.localeCompare(b.parent)),
    );
    expect(result).toMatchObject({ created: 3, failed: 6 });
    const problems = new Map((await reportOf(harness, id)).map(({ line, problem }) => [line, problem]));
    expect(problems.get(7)).toMatch(
      /^Relationships must not form a cycle: (?:A → B → C → A|B → C → A → B|C → A → B → C)\.$/u,
    );
    expect(problems.get(6)).toBe('The asset C is not created: line 7 fails.');
    expect(problems.get(8)).toBe('An asset cannot be related to itself.');
    expect(problems.get(9)).toBe('No asset is named Nothing.');
    expect(problems.get(10)).toBe('The asset Lost is not created: line 9 fails.');
  });

  it('finds projects and related assets by names in decomposed Unicode, which are stored composed', async () => {
    await makeProject('Projé');
    const decomposed = (text: string) => text.normalize('NFD');
    const { result } = await importCsv(harness, {
      csv: csv(
        `Café,x,Hardware,,,,,${decomposed('Projé')},`,
        `${decomposed('Über')},x,Hardware,,,,,Projé,${decomposed('Café')}`,
        `Shop,x,Hardware,,,,,Projé,"Über; ${decomposed('Café')}"`,
      ),
    });
    expect(result).toMatchObject({ created: 3, failed: 0 });
    expect(await relations()).toEqual([
      { parent: 'Shop', child: 'Café' },
      { parent: 'Shop', child: 'Über' },
      { parent: 'Über', child: 'Café' },
    ]);
  });

  it('finds projects and related assets by names that look like theirs, and by the exact ones of earlier versions', async () => {
    await makeProject('Old\u00A0quay');
    await importCsv(harness, { csv: csv('Gate 1,x,Hardware,,,,,Harbour,') });
    const { result } = await importCsv(harness, {
      csv: csv(
        'Lock,x,Hardware,,,,,Har\u200Bbour,Gate\u00A01; Door\u00A02',
        'Door\u00A02,x,Hardware,,,,,Old\u00A0quay,',
      ),
    });
    expect(result).toMatchObject({ created: 2, failed: 0 });
    expect(await relations()).toEqual([
      { parent: 'Lock', child: 'Door 2' },
      { parent: 'Lock', child: 'Gate 1' },
    ]);
  });

  it('lets a file turn a relation around', async () => {
    await importCsv(harness, { csv: csv('A,x,Hardware,,,,,Harbour,B', 'B,x,Hardware,,,,,Harbour,') });
    const { result } = await importCsv(harness, {
      csv: csv('A,x,Hardware,,,,,Harbour,', 'B,x,Hardware,,,,,Harbour,A'),
    });
    expect(result).toMatchObject({ updated: 2, failed: 0 });
    expect(await relations()).toEqual([{ parent: 'B', child: 'A' }]);
  });

  it('takes the project of the request for rows that name none', async () => {
    const { result } = await importCsv(harness, {
      csv: 'Name;Description;Type\nDoor;A door;Hardware',
      projectId,
    });
    expect(result).toMatchObject({ created: 1 });
  });

  it('sees neither assets nor projects of another organization', async () => {
    const other = await harnesses.open();
    const { result } = await importCsv(other, { csv: csv('Door,A door,Hardware,,,,,Harbour,') });
    expect(result).toMatchObject({ failed: 1 });
  });

  it('publishes the created and updated assets and records one activity entry', async () => {
    await importCsv(harness, { csv: csv('Door,A door,Hardware,,,,,Harbour,') });
    harness.recorded.events.length = 0;
    await importCsv(harness, {
      csv: csv('Door,Another door,Hardware,,,,,Harbour,', 'Lamp,A lamp,Hardware,,,,,Harbour,'),
    });
    const changes = harness.recorded.events.filter(({ type }) => type === 'asset.changed');
    expect(changes).toMatchObject([
      { action: 'created', count: 1 },
      { action: 'updated', count: 1 },
    ]);
    const entries = await harness.inside((trx) =>
      trx.selectFrom('activity').select(['action', 'name', 'detail']).orderBy('at').execute(),
    );
    expect(entries.at(-1)).toEqual({
      action: 'asset.imported',
      name: 'inventory.csv',
      detail: { created: 1, updated: 1, unchanged: 0, failed: 0 },
    });
  });
});

describe('a dry run', () => {
  it('has the counts and the report of the import that follows, and writes no asset', async () => {
    const id = await uploadCsv(harness, {
      csv: csv('Door,A door,Hardware,,,,,Harbour,', 'Lamp,,Hardware,,,,,Harbour,'),
    });
    const checked = await runImport(harness, id, 'csv.check');
    const report = await reportOf(harness, id);
    expect(await assets()).toEqual([]);
    expect(await findImport(harness, id)).toMatchObject({ state: 'checked', counts: checked });
    expect(await runImport(harness, id, 'csv.import')).toEqual(checked);
    expect(await reportOf(harness, id)).toEqual(report);
  });
});
