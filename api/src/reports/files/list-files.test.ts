import type { ErrorReply, ExtractKind, Facets, ReportFile } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../../testing/csv.ts';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { bundle, stixXml, uploadReport } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
});
afterAll(() => api.close());

const upload = async (name: string, content?: string | Buffer): Promise<string> =>
  (await uploadReport(ada, name, content))._id;

const names = async (query: string): Promise<string[]> => {
  const answer = await ada.get(`/api/reports/files?${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ files: ReportFile[] }>().files.map((file) => file.originalFilename);
};

it('the list counts objects of the rarest of more than a hundred types together; the file names each', async () => {
  const [few, many] = [await upload('few.json'), await upload('many.json')];
  const types = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x-type-${n}`, 1000 - n]));
  const setObjects = (id: string, objects: object) =>
    worker.inside((trx) =>
      sql`update report_file set objects = ${JSON.stringify(objects)}::jsonb where id = ${id}`.execute(trx),
    );
  await setObjects(few, { malware: 2 });
  await setObjects(many, types);
  const { files } = (await ada.get('/api/reports/files?sort=originalFilename')).json<{
    files: ReportFile[];
  }>();
  const [shownFew, shownMany = {}] = files.map(({ objects }) => objects ?? undefined);
  expect(shownFew).toEqual({ malware: 2 });
  expect(Object.keys(shownMany)).toHaveLength(101);
  expect(shownMany).toMatchObject({ 'x-type-0': 1000, 'x-type-99': 901 });
  const sum = (counts: object) =>
    Object.values(counts).reduce((total: number, count: number) => total + count, 0);
  expect(sum(shownMany)).toBe(sum(types));
  expect((await ada.get(`/api/reports/files/${many}`)).json<ReportFile>().objects).toEqual(types);
});

it('a file stays read when a later parse of the same bytes is cancelled; other bytes are then unread', async () => {
  const id = await upload('a.json');
  await worker.read(id, { records: [{ key: 'CVE-1' }] });
  const uploadAndCancel = async (content?: string) => {
    const { jobId } = await uploadReport(ada, 'a.json', content);
    expect((await ada.post(`/api/jobs/${jobId}/cancel`)).statusCode).toBe(200);
    const list = (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>();
    const { facets } = (await ada.get('/api/reports/files/facets')).json<Facets>();
    const file = (await ada.get(`/api/reports/files/${id}`)).json<ReportFile>();
    return [list.files[0]?.parseState, file.parseState, facets['parseState']?.values];
  };
  expect(await uploadAndCancel()).toEqual([
    'succeeded',
    'succeeded',
    [expect.objectContaining({ value: 'succeeded', count: 1 })],
  ]);
  expect((await uploadAndCancel('{"type":"bundle","objects":[]}')).slice(0, 2)).toEqual([
    'cancelled',
    'cancelled',
  ]);
});

describe('the list of files', () => {
  beforeEach(async () => {
    const large = `{"type":"bundle","objects":[],"x":"${'y'.repeat(2000)}"}`;
    const first = await upload('Alpha.json', large);
    await upload('beta_50%.xml', stixXml);
    const third = await upload('gamma.json');
    await worker.read(first, { records: [{ key: 'CVE-1' }, { key: 'CVE-2' }], stixVersion: '1.2' });
    await worker.read(third, { records: [{ key: 'T-1', kind: 'threat' }] });
    await worker.extract(first);
    await worker.extract(third);
  });

  it.each([
    ['originalFilename', ['Alpha.json', 'beta_50%.xml', 'gamma.json']],
    ['-originalFilename', ['gamma.json', 'beta_50%.xml', 'Alpha.json']],
    ['uploadDate', ['Alpha.json', 'beta_50%.xml', 'gamma.json']],
    ['-uploadDate', ['gamma.json', 'beta_50%.xml', 'Alpha.json']],
    ['-createdAt', ['gamma.json', 'beta_50%.xml', 'Alpha.json']],
    ['-size', ['Alpha.json', 'gamma.json', 'beta_50%.xml']],
    ['size', ['beta_50%.xml', 'gamma.json', 'Alpha.json']],
    ['stixVersion', ['Alpha.json', 'gamma.json', 'beta_50%.xml']],
  ])('is sorted by %s, empty values last', async (sort, expected) => {
    expect(await names(`sort=${sort}`)).toEqual(expected);
  });

  it.each([
    ['vulnerabilityCount', 'Alpha.json'],
    ['threatCount', 'gamma.json'],
  ])('is sorted by %s, both ways', async (column, most) => {
    expect((await names(`sort=-${column}`)).at(0)).toBe(most);
    expect((await names(`sort=${column}`)).at(-1)).toBe(most);
  });

  it.each([
    ['ALPHA', ['Alpha.json']],
    ['.json', ['Alpha.json', 'gamma.json']],
    ['50%', ['beta_50%.xml']],
    ['_', ['beta_50%.xml']],
    ['kb', ['Alpha.json']],
    ['BYTES', ['beta_50%.xml', 'gamma.json']],
    ['nothing of the kind', []],
  ])('is searched for %j', async (search, expected) => {
    expect(await names(`sort=originalFilename&search=${encodeURIComponent(search)}`)).toEqual(expected);
  });

  it('is searched in the size as it is shown', async () => {
    const { files } = (await ada.get('/api/reports/files?search=Alpha')).json<{ files: ReportFile[] }>();
    const shown = `${Number(((files[0]?.size ?? 0) / 1024).toFixed(2))} KB`;
    expect(await names(`search=${encodeURIComponent(shown)}`)).toEqual(['Alpha.json']);
  });

  it('is searched in the counts', async () => {
    const found = await names('search=2&sort=-vulnerabilityCount');
    expect(found[0]).toBe('Alpha.json');
  });

  it.each(['1699', '1,699', '1,69'])('finds the count 1,699 by %j', async (search) => {
    const [file] = (await ada.get('/api/reports/files?search=gamma')).json<{ files: ReportFile[] }>().files;
    await worker.inside((trx) =>
      trx
        .updateTable('report_file')
        .set({ threat_count: 1699 })
        .where('id', '=', file?._id ?? '')
        .execute(),
    );
    expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(['gamma.json']);
  });

  it('comes in pages that neither repeat nor miss a file', async () => {
    const paged: string[] = [];
    for (const page of [1, 2, 3]) paged.push(...(await names(`sort=-threatCount&pageSize=1&page=${page}`)));
    expect(paged.toSorted()).toEqual(['Alpha.json', 'beta_50%.xml', 'gamma.json']);
    const beyond = (await ada.get('/api/reports/files?page=9&pageSize=2')).json();
    expect(beyond).toEqual({ files: [], total: 3, page: 9, pageSize: 2, nextCursor: null });
  });

  it('is limited to names in any case', async () => {
    expect(await names('name=ALPHA.json&name=Gamma.JSON&sort=originalFilename')).toEqual([
      'Alpha.json',
      'gamma.json',
    ]);
    expect(await names('name=nobody.json')).toEqual([]);
  });

  it('has facets and exports of the reports with a name only', async () => {
    const { facets } = (await ada.get('/api/reports/files/facets?name=ALPHA.json')).json<Facets>();
    expect(facets['parseState']?.values).toEqual([{ value: 'succeeded', count: 1 }]);
    const exported = await ada.get(
      '/api/reports/files/export?columns=originalFilename&name=beta_50%25.xml&name=gamma.json',
    );
    expect(csvLines(exported.body).toSorted()).toEqual(['Name', 'beta_50%.xml', 'gamma.json']);
  });

  it('accepts a cursor only with the names of its page', async () => {
    const page = await ada.get('/api/reports/files?name=alpha.json&name=gamma.json&pageSize=1');
    const { nextCursor } = page.json<{ nextCursor: string }>();
    const next = (query: string) => names(`${query}&pageSize=1&cursor=${nextCursor}`);
    expect(await next('name=alpha.json&name=gamma.json')).toEqual(['Alpha.json']);
    const other = await ada.get(`/api/reports/files?name=alpha.json&pageSize=1&cursor=${nextCursor}`);
    expect(other.statusCode).toBe(422);
  });

  it.each([
    ['stixVersion=N%2FA', ['beta_50%.xml']],
    ['vulnerabilityCountMin=1', ['Alpha.json']],
    ['threatCountMin=1&threatCountMax=1', ['gamma.json']],
    ['sizeMax=0', []],
    ['uploadDateMin=2020-01-01&uploadDateMax=2020-12-31', []],
    ['createdAtMin=2020-01-01&createdAtMax=2020-12-31', []],
    ['createdAtMin=2020-01-01', ['Alpha.json', 'beta_50%.xml', 'gamma.json']],
    ['parseState=succeeded', ['Alpha.json', 'gamma.json']],
    ['parseState=queued&parseState=running', ['beta_50%.xml']],
  ])('is narrowed by %s', async (filter, expected) => {
    expect(await names(`${filter}&sort=originalFilename`)).toEqual(expected);
  });

  it('counts the values of each column; a facet ignores its own filter', async () => {
    const { facets } = (await ada.get('/api/reports/files/facets?threatCountMin=1')).json<Facets>();
    expect(facets['parseState']?.values).toEqual([{ value: 'succeeded', count: 1 }]);
    // Its own filter does not narrow a facet.
    expect(facets['threatCount']).toMatchObject({ min: 0, max: 1 });
  });

  it('shows the STIX version of a file only after the file was read', async () => {
    const unreadable = await upload('broken.xml', stixXml);
    const again = await upload('gamma.json', bundle('other content'));
    const shown = async () => {
      const { files } = (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>();
      return files.filter(({ _id }) => _id === unreadable || _id === again).map((file) => file.stixVersion);
    };
    expect(await shown()).toEqual([null, null]);
    await worker.endParse(unreadable, 'failed');
    await worker.read(again, {});
    expect(await shown()).toEqual(['2.1', null]);
    const exported = await ada.get(
      '/api/reports/files/export?format=csv&columns=originalFilename,stixVersion&search=broken',
    );
    expect(csvLines(exported.body)).toEqual(['Name,STIX', 'broken.xml,']);
    const detail = (await ada.get(`/api/reports/files/${unreadable}`)).json<ReportFile>();
    expect(detail.stixVersion).toBeNull();
    const { byVersion } = (await ada.get('/api/reports/overview')).json<{ byVersion: object }>();
    expect(byVersion).toEqual({ '2.1': 1, '1.2': 1, unknown: 2 });
  });

  it('is exported with its filters and columns', async () => {
    const answer = await ada.get(
      '/api/reports/files/export?format=csv&columns=originalFilename,threatCount&vulnerabilityCountMin=1',
    );
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="files.csv"; filename*=UTF-8''files.csv`,
    );
    expect(csvLines(answer.body)).toEqual(['Name,Threats', 'Alpha.json,0']);
  });

  it.each(['sort=password', 'page=0', 'page=x', 'pageSize=501', `search=${'x'.repeat(201)}`])(
    'refuses %s with the field',
    async (query) => {
      const answer = await ada.get(`/api/reports/files?${query}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(query.split('=')[0]);
    },
  );

  describe('the issues of a file', () => {
    const issuesOf = async (id: string) =>
      (await ada.get(`/api/reports/files/${id}`)).json<ReportFile>().issues;

    async function extraction(id: string, kinds: ExtractKind[]): Promise<string> {
      const queued = await ada.post('/api/reports/extract', { id, kinds });
      expect(queued.statusCode).toBe(202);
      return queued.json<{ jobId: string }>().jobId;
    }

    /** Ends a job as the worker does, by the clock: a later one ends later. */
    const endJob = (
      id: string,
      state: 'succeeded' | 'failed',
      skipped: Partial<Record<ExtractKind, number>>,
    ) =>
      worker.inside(async (trx) => {
        const byKind = Object.fromEntries(
          Object.entries(skipped).map(([kind, count]) => [kind, { skipped: count }]),
        );
        await sql`update job set state = ${state}, finished_at = clock_timestamp(),
          result = ${JSON.stringify({ byKind })}, version = version + 1 where id = ${id}`.execute(trx);
      });

    it('are failed objects, warnings, and what the newest extraction of each kind skipped', async () => {
      const id = await upload('torn.json');
      await worker.read(id, {
        records: [{ key: 'CVE-9' }],
        objects: [{ type: 'malware', outcome: 'failed', reason: 'It has no name.' }],
      });
      expect(await issuesOf(id)).toBe(1);
      await worker.inside(async (trx) => {
        const warnings = JSON.stringify([
          { code: 'x', message: 'X.', count: 3 },
          { code: 'y', message: 'Y.', count: 2 },
        ]);
        await sql`update report_file set warnings = ${warnings}::jsonb where id = ${id}`.execute(trx);
      });
      expect(await issuesOf(id)).toBe(6);
      await endJob(await extraction(id, ['vulnerabilities']), 'succeeded', { vulnerabilities: 4 });
      expect(await issuesOf(id)).toBe(10);
      await endJob(await extraction(id, ['threats']), 'succeeded', { threats: 0 });
      expect(await issuesOf(id)).toBe(10);
      await endJob(await extraction(id, ['vulnerabilities', 'threats']), 'succeeded', {
        vulnerabilities: 2,
        threats: 1,
      });
      expect(await issuesOf(id)).toBe(9);
      const listed = (await ada.get('/api/reports/files?search=torn')).json<{ files: ReportFile[] }>();
      expect(listed.files.map((file) => file.issues)).toEqual([9]);
    });

    it('stay after the same content is uploaded again, and end with other content', async () => {
      const id = await upload('same.json');
      await worker.read(id, { records: [{ key: 'CVE-9' }] });
      await endJob(await extraction(id, ['vulnerabilities']), 'succeeded', { vulnerabilities: 3 });
      await upload('same.json');
      expect(await issuesOf(id)).toBe(3);
      await worker.endParse(id, 'succeeded');
      expect(await issuesOf(id)).toBe(3);
      await upload('same.json', bundle('other'));
      expect(await issuesOf(id)).toBe(0);
      await worker.endParse(id, 'succeeded');
      expect(await issuesOf(id)).toBe(0);
    });

    it('include those of an extraction from before the last upload that was run again', async () => {
      const id = await upload('again.json');
      await worker.read(id, { records: [{ key: 'CVE-9' }] });
      const old = await extraction(id, ['vulnerabilities']);
      await endJob(old, 'failed', {});
      await upload('again.json', bundle('other'));
      await worker.endParse(id, 'succeeded');
      expect(await issuesOf(id)).toBe(0);
      await endJob(old, 'succeeded', { vulnerabilities: 3 });
      expect(await issuesOf(id)).toBe(3);
    });
  });

  it('answers a search with characters that PostgreSQL cannot store', async () => {
    expect((await ada.get('/api/reports/files?search=%00')).statusCode).toBe(422);
  });
});
