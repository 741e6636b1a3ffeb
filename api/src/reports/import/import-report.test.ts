import type { ErrorReply, Facets, ImportReport } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../../testing/csv.ts';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { bundle, uploadReport } from '../../testing/report.ts';
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

  it('and its export answer with the reason when the report has not been read or could not be', async () => {
    const forms = ['', '/export?format=csv'];
    const answers = async () => {
      const all = await Promise.all(forms.map((form) => ada.get(`${url()}${form}`)));
      return new Set(all.map((answer) => `${answer.statusCode} ${answer.json<ErrorReply>().message}`));
    };
    expect(await answers()).toEqual(new Set(['409 The report has not been read yet.']));
    await worker.endParse(_id, 'failed');
    expect(await answers()).toEqual(new Set(['409 The report could not be read. Line 3 is not STIX.']));
    await worker.endParse(_id, 'cancelled');
    expect(await answers()).toEqual(new Set(['409 Reading the report was cancelled.']));
  });

  it('accounts for every object', async () => {
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

  it('says how many records the last reading removed', async () => {
    await read();
    expect((await ada.get(url())).json()).not.toHaveProperty('removed');
    const removed = { vulnerability: 6, threat: 1 };
    await worker.inside((trx) =>
      trx
        .updateTable('job')
        .set({ result: JSON.stringify({ removed }) })
        .where('file_id', '=', _id)
        .where('kind', '=', 'stix.parse')
        .execute(),
    );
    expect((await ada.get(url())).json()).toMatchObject({ removed });
  });

  it('lists the objects that are not records in file order, filtered and in pages', async () => {
    await read();
    const outcomes = async (query: string) =>
      (await ada.get(`${url()}/objects?${query}`))
        .json<{ items: { outcome: string }[] }>()
        .items.map((item) => item.outcome);
    expect(await outcomes('')).toEqual(['revoked', 'unmapped', 'failed', 'superseded']);
    expect(await outcomes('outcome=revoked&outcome=failed')).toEqual(['revoked', 'failed']);
    expect(await outcomes('sort=-ordinal&pageSize=1&page=2')).toEqual(['failed']);
    expect(await outcomes('sort=-location&pageSize=2')).toEqual(['superseded', 'failed']);
    expect(await outcomes('sort=outcome')).toEqual(['failed', 'revoked', 'superseded', 'unmapped']);
    expect((await ada.get(`${url()}/objects?outcome=mapped`)).statusCode).toBe(422);
  });

  it('lists no objects of the former content while the new one has not been read', async () => {
    await read();
    await ada.upload({ name: 'report.json', content: bundle('new content') });
    expect((await ada.get(`${url()}/objects`)).json()).toMatchObject({ items: [] });
  });

  it('is searched, and narrowed by type, reason and range', async () => {
    await read();
    const numbers = async (query: string) =>
      (await ada.get(`${url()}/objects?${query}`))
        .json<{ items: { ordinal: number }[] }>()
        .items.map((item) => item.ordinal);
    expect(await numbers('search=TOOL')).toEqual([4, 5]);
    expect(await numbers('search=marks it')).toEqual([1]);
    expect(await numbers('type=tool&type=vulnerability')).toEqual([1, 4, 5]);
    expect(await numbers(`reason=${encodeURIComponent('@SUM(A1)')}`)).toEqual([4]);
    expect(await numbers('ordinalMin=3&ordinalMax=4')).toEqual([3, 4]);
  });

  it('returns every object and withdrawn record once when paged by cursor', async () => {
    await read();
    interface Part {
      items: { ordinal: number }[];
      nextCursor: string | null;
    }
    const walked: number[] = [];
    for (let next: string | null = ''; next !== null;) {
      const cursor: string = next && `&cursor=${next}`;
      const part: Part = (await ada.get(`${url()}/objects?pageSize=1${cursor}`)).json();
      walked.push(...part.items.map((item) => item.ordinal));
      next = part.nextCursor;
    }
    expect(walked).toEqual([1, 3, 4, 5]);
  });

  it('counts outcomes and types of this file alone, each under the filters of the others', async () => {
    await read();
    const other = await upload('other.json');
    await worker.read(other, { objects: [{ type: 'tool', outcome: 'failed', reason: 'Another file.' }] });
    const { facets } = (await ada.get(`${url()}/facets?field=outcome&field=type&type=tool`)).json<Facets>();
    expect(facets).toEqual({
      outcome: {
        values: [
          { value: 'failed', count: 1 },
          { value: 'superseded', count: 1 },
        ],
        more: false,
      },
      type: {
        values: [
          { value: 'tool', count: 2 },
          { value: '=cmd|calc', count: 1 },
          { value: 'vulnerability', count: 1 },
        ],
        more: false,
      },
    });
  });

  it('is exported as CSV in which no cell is a formula', async () => {
    await read();
    const answer = await ada.get(`${url()}/export`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain('report.json - import report.csv');
    const [head, ...lines] = csvLines(answer.body);
    expect(head).toBe('No.,Location,Type,ID,Outcome,Reason');
    expect(lines).toEqual([
      '1,objects[1],vulnerability,,revoked,The report marks it as revoked',
      `3,objects[3],'=cmd|calc,,unmapped,"'+1 ""quoted"", with a comma"`,
      "4,objects[4],tool,,failed,'@SUM(A1)",
      "5,objects[5],tool,,superseded,'-2+3",
    ]);
  });

  it('is exported as JSON, also when it is empty', async () => {
    await read();
    const failed = await ada.get(`${url()}/export?format=json&outcome=failed`);
    expect(failed.json()).toEqual([
      {
        ordinal: 4,
        location: 'objects[4]',
        type: 'tool',
        stixId: null,
        outcome: 'failed',
        reason: '@SUM(A1)',
      },
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
