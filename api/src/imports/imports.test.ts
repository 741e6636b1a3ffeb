import type { ActivityEntry, CsvImport, ErrorReply, Job } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { planOf, previewCsv, uploadCsv } from '../testing/import-csv.ts';
import { makeAsset, makeProject } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi({ uploadMaxBytes: 8_000_000 });
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const csv = 'Asset name;Details;asset_type;Rack\nDoor;A door;Hardware;7\nLamp;;Hardware;';
const upload = async (content: string | Buffer = csv): Promise<CsvImport> => {
  const answer = await uploadCsv(ada, content);
  expect(answer.statusCode).toBe(201);
  return answer.json<CsvImport>();
};

const contents = async (): Promise<number> => {
  const { rows } = await asWorker(api, ada).inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from file_content`.execute(trx),
  );
  return rows[0]?.n ?? -1;
};

describe('an uploaded CSV file', () => {
  it('has its columns with their automatic match and samples', async () => {
    const found = await upload();
    expect(found).toMatchObject({
      noun: 'assets',
      fileName: 'inventory.csv',
      rows: 2,
      state: 'uploaded',
      createdBy: 'Ada',
      columns: [
        { index: 0, header: 'Asset name', field: 'name', samples: ['Door', 'Lamp'] },
        { header: 'Details', field: 'description', samples: ['A door'] },
        { header: 'asset_type', field: 'assetTypeId' },
        { header: 'Rack', field: null, samples: ['7'] },
      ],
    });
    expect((await ada.get(`/api/imports/${found._id}`)).json()).toEqual(found);
    expect((await ada.get('/api/imports?noun=assets')).json()).toMatchObject({ total: 1, imports: [found] });
    expect((await ada.get('/api/imports?noun=vulnerabilities')).json()).toMatchObject({ total: 0 });
  });

  it('matches no column of words with a number, no deadline with the fix date, and knows which columns are filled', async () => {
    const answer = await uploadCsv(
      ada,
      'Name,CVE,Risk,CVSS score,Exploitability,Due date\nOne,CVE-2024-1,High,7.5,,2027-01-01\nTwo,,None,5,,',
      { noun: 'vulnerabilities' },
    );
    expect(answer.json<CsvImport>().columns).toMatchObject([
      { field: 'name', filled: true },
      { field: 'cveId', filled: false },
      { header: 'Risk', field: null },
      { field: 'cvssScore' },
      { field: 'exploitability', samples: [], filled: false },
      { header: 'Due date', field: null },
    ]);
    const numbers = await uploadCsv(ada, 'Name,Risk\nOne,High\nTwo,7', { noun: 'vulnerabilities' });
    expect(numbers.json<CsvImport>().columns[1]).toMatchObject({ header: 'Risk', field: 'severity' });
  });

  it('may name its delimiter in the first line, as files for Excel do', async () => {
    const found = await upload('sep=;\r\nName;Description\r\nDoor;a,b,c\r\n');
    expect(found).toMatchObject({ rows: 1, columns: [{ samples: ['Door'] }, { samples: ['a,b,c'] }] });
  });

  it('may be UTF-16 with a byte order mark, as spreadsheets save it', async () => {
    const found = await upload(Buffer.from(`\uFEFFName\tDescription\nDör\tx`, 'utf16le'));
    expect(found.columns.map(({ samples }) => samples)).toEqual([['Dör'], ['x']]);
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x4e, 0x0a, 0xff, 0xfe]), 'The file is not valid UTF-8.'],
    ['a repeated header', 'Name,name ,Name\nx', 'Line 1 has the column "Name" twice.'],
    ['NUL characters', 'Name\nx\0', 'The file has NUL characters'],
    ['a quote that is not closed', 'Name\nx\n"y\n', 'The quote that opens in line 3 is not closed.'],
    ['no header', '\n\n', 'The file is empty'],
    ['no rows', 'Name,Description\n', 'The file has no rows'],
    [
      'too many columns',
      `${Array.from({ length: 201 }, (_, n) => `c${n}`).join(',')}\nx`,
      'The file has 201 columns',
    ],
  ])('with %s is refused with the reason, and nothing of it is kept', async (_what, content, message) => {
    const answer = await uploadCsv(ada, content);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.[0]).toMatchObject({ path: 'csvFile' });
    expect(answer.json<ErrorReply>().details?.[0]?.message).toContain(message);
    expect(await contents()).toBe(0);
  });

  it('that is too large, or has another ending, is refused, and nothing of it is kept', async () => {
    expect((await uploadCsv(ada, `Name\n${'x'.repeat(8_000_000)}`)).statusCode).toBe(413);
    expect((await uploadCsv(ada, csv, { name: 'inventory.xlsx' })).statusCode).toBe(415);
    expect(await contents()).toBe(0);
  });

  it('is deleted with its content; another organization never sees it', async () => {
    const { _id } = await upload();
    const eve = await signUp(api);
    expect((await eve.get(`/api/imports/${_id}`)).statusCode).toBe(404);
    expect((await eve.delete(`/api/imports/${_id}`)).statusCode).toBe(404);
    expect((await ada.delete(`/api/imports/${_id}`)).statusCode).toBe(200);
    expect((await ada.get(`/api/imports/${_id}`)).statusCode).toBe(404);
    expect(await contents()).toBe(0);
  });

  it('has its upload and its deletion in the activity log', async () => {
    const { _id, bytes } = await upload();
    await ada.delete(`/api/imports/${_id}`);
    const scan = await uploadCsv(ada, 'Name\nOne', { noun: 'vulnerabilities', name: 'scan.csv' });
    await ada.delete(`/api/imports/${scan.json<CsvImport>()._id}`);
    const { activity } = (await ada.get('/api/activity')).json<{ activity: ActivityEntry[] }>();
    expect(activity.slice(0, 4).toReversed()).toMatchObject([
      { action: 'asset.import-uploaded', name: 'inventory.csv', nounId: null, detail: { size: bytes } },
      { action: 'asset.import-deleted', name: 'inventory.csv', actorId: ada.user._id },
      { action: 'vulnerability.import-uploaded', name: 'scan.csv' },
      { action: 'vulnerability.import-deleted', name: 'scan.csv' },
    ]);
  });
});

describe('the preview', () => {
  it('shows what becomes of each row, with problems at their cells, and writes nothing', async () => {
    const { _id } = await makeProject(ada);
    await makeAsset(ada, _id, { name: 'Door', description: 'A door', assetTypeId: 1, criticality: 2 });
    const found = await upload(
      'Name,Description,Type,Criticality\nDoor,A door,hardware,low\nLamp,,Hardware,huge\nDoor,x,1,',
    );
    const answer = await ada.post(`/api/imports/${found._id}/preview`, { ...planOf(found), projectId: _id });
    expect(answer.json()).toMatchObject({
      rows: [
        { line: 2, action: 'unchanged', name: 'Door', problems: [] },
        {
          line: 3,
          action: 'fail',
          cells: [
            { value: 'Lamp' },
            { field: 'description' },
            {},
            { value: 'huge', problem: 'Use one of Very Low, Low, Medium, High, Very High.' },
          ],
        },
        {
          line: 4,
          action: 'fail',
          cells: [{ problem: 'Line 2 has the same Name in its project.' }, {}, {}, {}],
        },
      ],
    });
    expect((await ada.get('/api/assets')).json()).toMatchObject({ total: 1 });
  });

  it('has names on one line, and finds records by them', async () => {
    const { _id } = await makeProject(ada, { name: 'Old\nharbour' });
    const [one, two] = ['Server\neins', 'Server\nzwei'];
    await makeAsset(ada, _id, { name: one, description: 'x', assetTypeId: 1 });
    await makeAsset(ada, _id, { name: two, description: 'x', assetTypeId: 1 });
    const shown = await previewCsv(
      ada,
      `Name,Description,Type,Project,Related assets\n"${one}",x,Hardware,"Old\nharbour","${two}"\n`,
    );
    expect(shown).toMatchObject([{ action: 'update', name: 'Server eins' }]);
    expect(shown.flatMap(({ cells }) => cells.flatMap(({ problem }) => problem ?? []))).toEqual([]);
  });

  it('has the first 20 rows, and says nothing of related assets that a later row may be', async () => {
    await makeProject(ada, { name: 'Harbour' });
    const rows = Array.from({ length: 30 }, (_, n) => `N${n},x,Hardware,Harbour,N29`);
    const shown = await previewCsv(ada, ['Name,Description,Type,Project,Related assets', ...rows].join('\n'));
    expect(shown.map(({ line, action }) => [line, action])).toEqual(
      Array.from({ length: 20 }, (_, n) => [n + 2, 'create']),
    );
  });

  it('looks for rows in the first 4 MiB, however many blank lines follow', async () => {
    await makeProject(ada, { name: 'Harbour' });
    const row = (name: string) => `${name},x,Hardware,Harbour\n`;
    const head = `Name,Description,Type,Project\n${row('A')}`;
    const linesOf = async (blank: number) => {
      const rows = await previewCsv(ada, `${head}${'\n'.repeat(blank)}${row('B')}`);
      return rows.map(({ line }) => line);
    };
    expect(await linesOf(3 * 1024 * 1024)).toEqual([2, 3 * 1024 * 1024 + 3]);
    expect(await linesOf(6 * 1024 * 1024)).toEqual([2]);
    expect(await previewCsv(ada, `${'\n'.repeat(6 * 1024 * 1024)}${head}`)).toEqual([]);
  });

  it.each([
    [{ key: 'cveId' }, 'key'],
    [{ key: 'reference' }, 'key'],
    [{ mapping: [{ column: 0, field: 'riskScore' }] }, 'mapping'],
    [
      {
        mapping: [
          { column: 0, field: 'name' },
          { column: 1, field: 'name' },
        ],
      },
      'mapping',
    ],
    [{ mapping: [{ column: 9, field: 'name' }] }, 'mapping'],
    [{ projectId: '01910000-0000-7000-8000-000000000000' }, 'projectId'],
  ])('with %j is refused on %s', async (change, path) => {
    const found = await upload();
    const answer = await ada.post(`/api/imports/${found._id}/preview`, { ...planOf(found), ...change });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(path);
  });

  it.each(['assets', 'vulnerabilities'] as const)(
    'of the template of %s creates its two rows',
    async (noun) => {
      await makeProject(ada, { name: 'Harbour' });
      const template = await ada.get(`/api/imports/template?noun=${noun}`);
      expect(template.headers['content-disposition']).toContain(`${noun}-template.csv`);
      const rows = await previewCsv(ada, template.rawPayload, { noun });
      expect(
        rows.map(({ action, problems, cells }) => [action, problems, cells.filter((cell) => cell.problem)]),
      ).toEqual([
        ['create', [], []],
        ['create', [], []],
      ]);
    },
  );
});

describe('a run of an import', () => {
  it('is queued as a job with the file name; a second one is refused until it has ended', async () => {
    const found = await upload();
    const answer = await ada.post(`/api/imports/${found._id}/start`, planOf(found));
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect((await ada.get(`/api/jobs/${jobId}`)).json<Job>()).toMatchObject({
      kind: 'csv.import',
      fileName: 'inventory.csv',
      importId: found._id,
    });
    expect((await ada.get(`/api/imports/${found._id}`)).json()).toMatchObject({
      state: 'importing',
      key: 'name',
      jobId,
    });
    expect((await ada.post(`/api/imports/${found._id}/check`, planOf(found))).statusCode).toBe(409);
    expect((await ada.post(`/api/imports/${found._id}/undo`)).statusCode).toBe(409);
    await ada.post(`/api/jobs/${jobId}/cancel`);
    expect((await ada.post(`/api/imports/${found._id}/check`, planOf(found))).statusCode).toBe(202);
    expect((await ada.get(`/api/imports/${found._id}`)).json()).toMatchObject({ state: 'checking' });
  });

  it('is cancelled when its import is deleted', async () => {
    const found = await upload();
    await ada.post(`/api/imports/${found._id}/start`, planOf(found));
    expect((await ada.delete(`/api/imports/${found._id}`)).statusCode).toBe(200);
    expect((await ada.get('/api/jobs')).json()).toMatchObject({ total: 0 });
  });

  it('has a report that names the columns as the file does', async () => {
    const { _id: id } = await upload();
    await asWorker(api, ada).inside((trx) =>
      sql`
        insert into csv_import_row (organization_id, import_id, line, action, name, field, problem)
        values (current_organization(), ${id}, 2, 'failed', 'Door', 'assetTypeId', 'Use one of Hardware.')`.execute(
        trx,
      ),
    );
    const report = await ada.get(`/api/imports/${id}/rows/export`);
    expect(report.body).toContain('"Type (asset_type)","Use one of Hardware."');
  });

  it('cannot be requested by a viewer, who may read the report', async () => {
    const found = await upload();
    await ada.becomes('viewer');
    expect((await ada.post(`/api/imports/${found._id}/start`, planOf(found))).statusCode).toBe(403);
    expect((await ada.get(`/api/imports/${found._id}/rows`)).json()).toMatchObject({ rows: [], total: 0 });
    const report = await ada.get(`/api/imports/${found._id}/rows/export?action=failed`);
    expect(report.headers['content-disposition']).toContain('inventory-failed-rows.csv');
    expect(report.body.trim()).toBe('"Line","Result","Name","Column","Reason","Record"');
  });
});
