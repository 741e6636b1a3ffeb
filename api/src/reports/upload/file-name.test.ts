import type { ErrorReply, ReportFile } from '@riskboard/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertNoOrphanedChunks } from '../../testing/orphaned-chunks.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { bundle, type Uploaded, uploadReport } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterEach(() => assertNoOrphanedChunks(api, ada));
afterAll(() => api.close());

const send = (name: string, content: string | Buffer = bundle()): Promise<Uploaded> =>
  uploadReport(ada, name, content);
const files = async () => (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>().files;

describe('a file name', () => {
  it('with a NUL is refused', async () => {
    const answer = await ada.upload({ name: 'a\0b.json', content: bundle() });
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      422,
      'Text must not contain NUL characters.',
    ]);
    expect(await files()).toEqual([]);
  });

  it.each([
    ['../../etc/passwd.json', 'passwd.json'],
    ['C:\\reports\\q1.json', 'q1.json'],
    ['ab\u0007c.json', 'abc.json'],
    ['invoice\u202Enosj.json', 'invoicenosj.json'],
    ['re\u200Bport\u00A01.json', 'report 1.json'],
    ['Bericht-Ü-日本-🔑.json', 'Bericht-Ü-日本-🔑.json'],
    ["it's (1) 100%.json", "it's (1) 100%.json"],
    ['%2e%2e%2fx.json', '%2e%2e%2fx.json'],
    // As forms encode a quote and line breaks.
    ['a "quoted" name.json', 'a "quoted" name.json'],
    ['two%0D%0Alines.json', 'twolines.json'],
    ['<img src=x onerror=alert(1)>.json', '<img src=x onerror=alert(1)>.json'],
    [`${'x'.repeat(250)}.json`, `${'x'.repeat(250)}.json`],
  ])('%j is kept as %j', async (sent, kept) => {
    const { _id } = await send(sent);
    expect(await files()).toMatchObject([{ originalFilename: kept }]);
    const { headers } = await ada.get(`/api/reports/files/${_id}/raw`);
    const disposition = String(headers['content-disposition']);
    expect(disposition).toMatch(/^attachment; filename="[\w.\- ]+"; filename\*=UTF-8''[\w.!~*'()%-]+$/u);
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(kept);
  });

  it.each([
    ['5,000 characters', `${'x'.repeat(4995)}.json`, 422],
    ['nothing', '', 422],
    ['a path without a name', 'folder/', 422],
    ['controls only', '\u0001\u0002', 422],
  ])('of %s is refused', async (_what, name, status) => {
    expect((await ada.upload({ name, content: bundle() })).statusCode).toBe(status);
  });
});
