import type { ErrorReply, ImportReport, ReportFile } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle, stixXml } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

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

async function upload(name: string, content: string | Buffer = bundle(name)): Promise<string> {
  const answer = await ada.upload({ name, content });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ _id: string }>()._id;
}

const names = async (query: string): Promise<string[]> => {
  const answer = await ada.get(`/api/reports/files?${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ files: ReportFile[] }>().files.map((file) => file.originalFilename);
};

describe('a file with its content', () => {
  it('is the JSON of the report, its byte order mark left out', async () => {
    const _id = await upload('marked.json', `\uFEFF${bundle()}`);
    await worker.read(_id, {});
    const answer = await ada.get(`/api/reports/files/${_id}`);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toMatchObject({
      _id,
      originalFilename: 'marked.json',
      content: JSON.parse(bundle()),
    });
  });

  it('is the JSON of a report in UTF-16', async () => {
    const _id = await upload('wide.json', Buffer.from(`\uFEFF${bundle('wïde')}`, 'utf16le'));
    await worker.read(_id, {});
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(file.content).toEqual(JSON.parse(bundle('wïde')));
  });

  it('is the JSON form of XML, values as they stand', async () => {
    const _id = await upload('report.xml', stixXml);
    await worker.read(_id, {});
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(file.content).toMatchObject({
      'stix:STIX_Package': {
        '@version': '1.2',
        'stix:STIX_Header': { 'stix:Title': 'Tea & 007' },
      },
    });
  });

  it('is 422 when XML has no JSON form, not half an answer', async () => {
    const deep = `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`;
    const _id = await upload('deep.xml', stixXml.replace('Tea', `x${deep}`));
    await worker.read(_id, {});
    const answer = await ada.get(`/api/reports/files/${_id}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().message).toContain('download the original');
  });

  it('is its text when it could not be read, quotes and all', async () => {
    const broken = `${bundle().slice(0, -3)}"\\ ï 🔑`;
    const _id = await upload('broken.json', broken);
    await worker.endParse(_id, 'failed');
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<Record<string, unknown>>();
    expect(file).toMatchObject({ parseState: 'failed', parseError: 'Line 3 is no STIX.', content: broken });
  });

  it('is whole over many chunks, characters on their edges too', async () => {
    const content = `{"type":"bundle","id":"bundle--1","x":"${'é🔑'.repeat(400_000)}","objects":[]}`;
    const _id = await upload('large.json', content);
    const unread = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: string }>();
    expect(unread.content === content).toBe(true);
    await worker.read(_id, {});
    const read = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(JSON.stringify(read.content) === content).toBe(true);
  });

  it('is 404 with the words of the specification when there is none', async () => {
    const answer = await ada.get(`/api/reports/files/${crypto.randomUUID()}`);
    expect(answer.json()).toMatchObject({ statusCode: 404, message: 'Failed to retrieve file' });
  });
});

describe('the list of files', () => {
  beforeEach(async () => {
    const large = `{"type":"bundle","objects":[],"x":"${'y'.repeat(2000)}"}`;
    const first = await upload('Alpha.json', large);
    await upload('beta_50%.xml', stixXml);
    const third = await upload('gamma.json');
    await worker.read(first, { records: [{ key: 'CVE-1' }, { key: 'CVE-2' }] });
    await worker.read(third, { records: [{ key: 'T-1', kind: 'threat' }] });
    await worker.extract(first);
    await worker.extract(third);
  });

  it.each([
    ['originalFilename', ['Alpha.json', 'beta_50%.xml', 'gamma.json']],
    ['-originalFilename', ['gamma.json', 'beta_50%.xml', 'Alpha.json']],
    ['uploadDate', ['Alpha.json', 'beta_50%.xml', 'gamma.json']],
    ['-uploadDate', ['gamma.json', 'beta_50%.xml', 'Alpha.json']],
    ['-size', ['Alpha.json', 'gamma.json', 'beta_50%.xml']],
    ['size', ['beta_50%.xml', 'gamma.json', 'Alpha.json']],
    ['stixVersion', ['beta_50%.xml', 'gamma.json', 'Alpha.json']],
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

  it('comes in pages that neither repeat nor miss a file', async () => {
    const paged: string[] = [];
    for (const page of [1, 2, 3]) paged.push(...(await names(`sort=-threatCount&pageSize=1&page=${page}`)));
    expect(paged.toSorted()).toEqual(['Alpha.json', 'beta_50%.xml', 'gamma.json']);
    const beyond = (await ada.get('/api/reports/files?page=9&pageSize=2')).json();
    expect(beyond).toEqual({ files: [], total: 3, page: 9, pageSize: 2 });
  });

  it('is kept to names, whatever their case', async () => {
    expect(await names('name=ALPHA.json&name=Gamma.JSON&sort=originalFilename')).toEqual([
      'Alpha.json',
      'gamma.json',
    ]);
    expect(await names('name=nobody.json')).toEqual([]);
  });

  it.each(['sort=password', 'sort=', 'page=0', 'page=x', 'pageSize=501', `search=${'x'.repeat(201)}`])(
    'refuses %s with the field',
    async (query) => {
      const answer = await ada.get(`/api/reports/files?${query}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(query.split('=')[0]);
    },
  );

  it('does not fall over a search that no text can hold', async () => {
    expect((await ada.get('/api/reports/files?search=%00')).statusCode).toBe(422);
  });
});

describe('the import report', () => {
  const objects = [
    { type: '=cmd|calc', outcome: 'unmapped', reason: '+1 "quoted", with a comma' },
    { type: 'tool', outcome: 'failed', reason: '@SUM(A1)' },
    { type: 'tool', outcome: 'superseded', reason: '-2+3' },
  ] as const;
  let _id: string;
  beforeEach(async () => {
    _id = await upload('report.json');
  });
  const read = () =>
    worker.read(_id, {
      records: [{ key: 'CVE-1' }, { key: 'CVE-2', state: 'revoked' }, { key: 'T-1', kind: 'threat' }],
      objects: [...objects],
    });
  const url = () => `/api/reports/files/${_id}/import-report`;

  it('is 409 until the report has been read', async () => {
    expect((await ada.get(url())).statusCode).toBe(409);
    await read();
    expect((await ada.get(url())).statusCode).toBe(200);
  });

  it('adds up', async () => {
    await read();
    await worker.extract(_id);
    const report = (await ada.get(url())).json<ImportReport>();
    expect(report.objects).toBe(report.mapped + report.unmapped + report.failed + report.superseded);
    expect(report.records).toBe(report.active + report.revoked + report.deprecated);
    expect(report).toMatchObject({ objects: 6, mapped: 3, active: 2, revoked: 1 });
    expect(report.extracted).toEqual({ vulnerabilities: 1, threats: 1 });
    expect((await ada.get(`/api/reports/files/${_id}/vulnerabilities/count`)).json()).toEqual({ count: 1 });
    expect((await ada.get(`/api/reports/files/${_id}/threats/count`)).json()).toEqual({ count: 1 });
  });

  it('lists what is no record, in order of the file, filtered and in pages', async () => {
    await read();
    const outcomes = async (query: string) =>
      (await ada.get(`${url()}/objects?${query}`))
        .json<{ items: { outcome: string }[] }>()
        .items.map((item) => item.outcome);
    expect(await outcomes('')).toEqual(['revoked', 'unmapped', 'failed', 'superseded']);
    expect(await outcomes('outcome=revoked&outcome=failed')).toEqual(['revoked', 'failed']);
    expect(await outcomes('sort=-ordinal&pageSize=1&page=2')).toEqual(['failed']);
    expect(await outcomes('sort=outcome')).toEqual(['failed', 'revoked', 'superseded', 'unmapped']);
    expect((await ada.get(`${url()}/objects?outcome=mapped`)).statusCode).toBe(422);
  });

  it('is exported as CSV in which no cell is a formula', async () => {
    await read();
    const answer = await ada.get(`${url()}/export`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain('report.json - import report.csv');
    const [head, ...lines] = answer.body.trimEnd().split('\n');
    expect(head).toBe('\uFEFFordinal,place,type,stixId,outcome,reason');
    expect(lines).toEqual([
      '1,objects[1],vulnerability,,revoked,The report marks it as revoked',
      `3,objects[3],'=cmd|calc,,unmapped,"'+1 ""quoted"", with a comma"`,
      "4,objects[4],tool,,failed,'@SUM(A1)",
      "5,objects[5],tool,,superseded,'-2+3",
    ]);
  });

  it('is exported as JSON, also when there is nothing to say', async () => {
    await read();
    const failed = await ada.get(`${url()}/export?format=json&outcome=failed`);
    expect(failed.json()).toEqual([
      { ordinal: 4, place: 'objects[4]', type: 'tool', stixId: null, outcome: 'failed', reason: '@SUM(A1)' },
    ]);
    expect((await ada.get(`${url()}/export?format=json&outcome=deprecated`)).json()).toEqual([]);
  });

  it('is exported whole when it is longer than a batch', async () => {
    const many = Array.from({ length: 2500 }, (_, n) => ({
      type: 'tool',
      outcome: 'unmapped' as const,
      reason: `${n}`,
    }));
    await worker.read(_id, { objects: many });
    const reasons = (await ada.get(`${url()}/export?format=json`))
      .json<{ reason: string }[]>()
      .map((item) => item.reason);
    expect(reasons).toEqual(many.map((object) => object.reason));
  });
});

describe('the overview', () => {
  it('counts reports, bytes, versions, records and jobs', async () => {
    expect((await ada.get('/api/reports/overview')).json()).toEqual({
      files: 0,
      bytes: 0,
      byVersion: {},
      vulnerabilities: 0,
      threats: 0,
      lastUploadAt: null,
      jobs: { queued: 0, running: 0, failed: 0 },
    });
    const first = await upload('a.json');
    await upload('b.xml', stixXml);
    const third = await upload('c.json', '{"type":"bundle","objects":[]}');
    await worker.read(first, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
    await worker.extract(first);
    await worker.endParse(third, 'failed');
    await worker.inside((trx) =>
      sql`insert into vulnerability (organization_id, id, name) values (current_organization(), gen_random_uuid(), 'by hand')`.execute(
        trx,
      ),
    );
    const overview = (await ada.get('/api/reports/overview')).json<Record<string, unknown>>();
    const { files } = (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>();
    expect(overview).toEqual({
      files: 3,
      bytes: files.reduce((sum, file) => sum + file.size, 0),
      byVersion: { '2.1': 1, '1.2': 1, unknown: 1 },
      vulnerabilities: 1,
      threats: 1,
      lastUploadAt: files[0]?.uploadDate,
      jobs: { queued: 1, running: 0, failed: 1 },
    });
  });
});
