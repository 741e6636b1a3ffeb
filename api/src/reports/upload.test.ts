import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorReply, ReportFile } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/as-worker.ts';
import { form, type FormFile } from '../testing/form.ts';
import { type Answer, cookieHeader, type Person, signUp } from '../testing/person.ts';
import { bundle, stixXml } from '../testing/report.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';

interface Uploaded {
  action: string;
  _id: string;
  id: string;
  stixVersion: string | null;
  jobId: string;
}

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
/** Whatever a test does, nothing half-received stays. */
afterEach(async () => {
  const { rows } = await asWorker(api, ada).inside((trx) =>
    sql<{ contents: number; files: number; strays: number }>`
      select (select count(*)::int from file_content) as contents, (select count(*)::int from report_file) as files,
        (select count(*)::int from file_chunk k where not exists (
          select from report_file f where f.content_id = k.content_id)) as strays`.execute(trx),
  );
  assert.equal(rows[0]?.contents, rows[0]?.files);
  assert.equal(rows[0]?.strays, 0);
});
afterAll(() => api.close());

const send = async (name: string, content: string | Buffer = bundle()): Promise<Uploaded> => {
  const answer = await ada.upload({ name, content });
  expect(answer.statusCode).toBe(201);
  return answer.json<Uploaded>();
};
const request = (file: FormFile) => {
  const { headers, payload } = form(file);
  return { headers: { ...headers, origin, cookie: cookieHeader(ada.cookies) }, payload };
};
const files = async () => (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>().files;
const messageOf = (answer: Answer): string => answer.json<ErrorReply>().message;

/** A bundle of so many bytes that no compression makes small. */
function largeBundle(bytes: number): Buffer {
  const noise = randomBytes(Math.ceil(bytes * 0.75)).toString('base64');
  return Buffer.from(`{"type":"bundle","id":"bundle--1","x_noise":"${noise}","objects":[]}`);
}

describe('an upload', () => {
  it('makes a report and a job that reads it, and rings for it after the commit', async () => {
    const answer = await send('First.json');
    expect(answer).toMatchObject({ action: 'created', stixVersion: '2.1' });
    expect(answer._id).toBe(answer.id);
    expect(await files()).toMatchObject([
      { _id: answer._id, originalFilename: 'First.json', parseState: 'queued', media: 'json' },
    ]);
    const { organizationId } = ada.user;
    expect(api.producer.rung).toContainEqual({ id: answer.jobId, kind: 'stix.parse', organizationId });
    const topics = api.relay.published.filter(({ topic }) => topic.includes(organizationId));
    expect(topics.map(({ message }) => (message as { type: string }).type)).toEqual([
      'job.updated',
      'file.changed',
    ]);
  });

  it('succeeds while the queue is down: the sweeper rings later', async () => {
    api.producer.down = true;
    await send('First.json');
    api.producer.down = false;
    expect(await files()).toHaveLength(1);
  });

  it('waits a second at most for a queue and a relay that are frozen', async () => {
    await send('First.json');
    const frozen = await startApi({}, { besides: api });
    const silence = async (): Promise<never> => {
      await sleep(1000);
      throw new Error('no answer in time');
    };
    Object.assign(frozen.producer.port, { ring: silence });
    const { publish } = api.relay.port;
    Object.assign(api.relay.port, { publish: silence });
    const before = performance.now();
    const answer = await frozen.app.inject({
      method: 'POST',
      url: '/api/reports/upload?extract=vulnerabilities,threats',
      ...request({ name: 'first.json', content: bundle() }),
    });
    expect(answer.statusCode).toBe(201);
    expect(performance.now() - before).toBeLessThan(1900);
    Object.assign(api.relay.port, { publish });
    await frozen.close();
  });

  it('of a name that is there, in any case, replaces it', async () => {
    const first = await send('Report.json');
    const second = await send('rePORT.JSON', bundle('two'));
    expect(second).toMatchObject({ action: 'replaced', _id: first._id });
    expect(second.jobId).not.toBe(first.jobId);
    expect(await files()).toMatchObject([{ originalFilename: 'rePORT.JSON' }]);
    expect((await ada.get(`/api/jobs/${first.jobId}`)).json()).toMatchObject({ state: 'cancelled' });
  });

  it('of the same bytes keeps what was extracted, under the new spelling', async () => {
    const { _id } = await send('Report.json');
    const worker = asWorker(api, ada);
    await worker.read(_id, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
    await worker.extract(_id);
    expect((await send('REPORT.json')).action).toBe('replaced');
    expect(await files()).toMatchObject([{ vulnerabilityCount: 1, threatCount: 1 }]);
    expect((await ada.get('/api/vulnerabilities')).json()).toMatchObject({
      vulnerabilities: [{ name: 'CVE-1', sourceFile: 'REPORT.json' }],
    });
  });

  it('of other bytes takes back what the old ones said', async () => {
    const { _id } = await send('report.json');
    const worker = asWorker(api, ada);
    await worker.read(_id, {
      records: [{ key: 'CVE-1' }],
      objects: [{ type: 'tool', outcome: 'unmapped', reason: 'x' }],
    });
    await worker.extract(_id);
    await send('report.json', bundle('two'));
    expect(await files()).toMatchObject([
      { vulnerabilityCount: 0, vulnerabilityRecords: null, objects: null, parseState: 'queued' },
    ]);
    expect((await ada.get('/api/vulnerabilities')).json()).toMatchObject({ total: 0 });
    expect((await ada.get(`/api/reports/files/${_id}/import-report/objects`)).json()).toMatchObject({
      total: 0,
    });
  });

  it('twenty times at once under one name is one created and nineteen replaced', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ada.upload({ name: 'same.json', content: bundle(`${n}`) })),
    );
    const actions = answers.map((answer) => answer.json<Uploaded>().action);
    expect(actions.filter((action) => action === 'created')).toHaveLength(1);
    expect(actions.filter((action) => action === 'replaced')).toHaveLength(19);
    expect(new Set(answers.map((answer) => answer.json<Uploaded>()._id)).size).toBe(1);
    expect((await ada.get('/api/jobs?state=queued')).json()).toMatchObject({ total: 1 });
  });

  it('chains the extraction to the parse', async () => {
    const answer = await ada.upload(
      { name: 'a.json', content: bundle() },
      '?extract=vulnerabilities,threats',
    );
    const { jobs } = (await ada.get('/api/jobs?sort=kind')).json<{ jobs: { kind: string; _id: string }[] }>();
    expect(jobs.map((job) => job.kind)).toEqual(['stix.extract', 'stix.parse']);
    const rung = api.producer.rung.map((bell) => bell.id);
    expect(rung).toContain(answer.json<Uploaded>().jobId);
    expect(rung).not.toContain(jobs[0]?._id);
    expect((await ada.upload({ name: 'a.json', content: bundle() }, '?extract=cats')).statusCode).toBe(422);
  });

  it('comes back byte for byte, over several chunks and by its edges', async () => {
    for (const size of [1024 * 1024 - 100, 5 * 1024 * 1024 + 17]) {
      const bytes = largeBundle(size);
      const { _id } = await send('large.json', bytes);
      const answer = await ada.get(`/api/reports/files/${_id}/raw`);
      expect(answer.rawPayload.equals(bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': `${bytes.length}`,
        'content-disposition': `attachment; filename="large.json"; filename*=UTF-8''large.json`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(answer.headers['content-security-policy']).toContain('sandbox');
    }
  });
});

describe('an upload is refused', () => {
  it.each(['report.txt', 'report.json.exe', 'report', 'json'])('as %s with 415', async (name) => {
    const answer = await ada.upload({ name, content: bundle() });
    expect(answer.statusCode).toBe(415);
    expect(messageOf(answer)).toContain('Only .json and .xml');
  });

  it.each([
    ['empty', '', 'The file is empty.'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'neither JSON nor XML'],
    ['a web page', '<html><body>Hi</body></html>', ''],
    ['other JSON', '{"name":"package","version":"1.0.0"}', ''],
  ])('when it is %s, with 422 and the reason', async (_what, content, reason) => {
    const answer = await ada.upload({ name: 'report.json', content });
    expect(answer.statusCode).toBe(422);
    const { details, message } = answer.json<ErrorReply>();
    expect(message).toContain(reason);
    expect(details).toEqual([{ path: 'stixFile', message }]);
  });

  it('beyond the limit with 413, at once or after a chunk, and nothing is kept', async () => {
    const large = await ada.upload({ name: 'a.json', content: largeBundle(9 * 1024 * 1024) });
    expect(large.statusCode).toBe(413);
    expect(messageOf(large)).toBe('The file is too large.');
    const even = await startApi({ uploadMaxBytes: 1024 * 1024 });
    const bob = await signUp(even);
    const sizes = [1024 * 1024, 1024 * 1024 + 1].map((bytes) => Buffer.from(bundle().padEnd(bytes)));
    for (const [n, content] of sizes.entries())
      expect((await bob.upload({ name: 'a.json', content })).statusCode).toBe(n === 0 ? 201 : 413);
    await even.close();
    const tiny = await startApi({ uploadMaxBytes: 1000 });
    const eve = await signUp(tiny);
    expect((await eve.upload({ name: 'a.json', content: largeBundle(2000) })).statusCode).toBe(413);
    expect((await eve.upload({ name: 'a.json', content: bundle() })).statusCode).toBe(201);
    await tiny.close();
  });

  it('without a file, or in another field, with 422 that names the field', async () => {
    const none = await ada.upload({ content: 'text only' });
    expect(none.statusCode).toBe(422);
    expect(messageOf(none)).toBe('Choose a file to upload.');
    const wrong = await ada.upload({ name: 'a.json', content: bundle(), field: 'upload' });
    expect(wrong.statusCode).toBe(422);
    expect(messageOf(wrong)).toContain('stixFile');
  });

  it('with a field that is a prototype, with 400', async () => {
    const answer = await ada.upload({ name: 'a.json', content: bundle(), field: '__proto__' });
    expect(answer.statusCode).toBe(400);
  });

  const raw = (payload: string, type: string) =>
    ada.call({
      method: 'POST',
      url: '/api/reports/upload',
      headers: { 'content-type': type },
      payload: Buffer.from(payload),
    });

  it.each([
    ['no boundary', 'x', 'multipart/form-data'],
    ['a body of something else', 'hello', 'multipart/form-data; boundary=b'],
    [
      'a part cut short',
      '--b\r\nContent-Disposition: form-data; name="stixFile"; filename="a.json"\r\n\r\n{',
      'multipart/form-data; boundary=b',
    ],
    ['a header cut short', '--b\r\nContent-Dispo', 'multipart/form-data; boundary=b'],
  ])('when the form is malformed by %s, with 400', async (_what, payload, type) => {
    expect((await raw(payload, type)).statusCode).toBe(400);
  });

  it('when it is no form, with 415', async () => {
    expect((await raw('{}', 'application/json')).statusCode).toBe(415);
  });

  it('as two files in one request, with 422', async () => {
    const two = form({ name: 'a.json', content: bundle() }, { name: 'b.json', content: bundle() });
    const answer = await ada.call({ method: 'POST', url: '/api/reports/upload', ...two });
    expect(answer.statusCode).toBe(422);
    expect(messageOf(answer)).toBe('Send one file a request.');
  });
});

describe('a file name', () => {
  it.each([
    ['../../etc/passwd.json', 'passwd.json'],
    ['C:\\reports\\q1.json', 'q1.json'],
    ['a\u0000b\u0007c.json', 'abc.json'],
    ['invoice\u202Enosj.json', 'invoicenosj.json'],
    ['Bericht-Ü-日本-🔑.json', 'Bericht-Ü-日本-🔑.json'],
    ["it's (1) 100%.json", "it's (1) 100%.json"],
    ['%2e%2e%2fx.json', '%2e%2e%2fx.json'],
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

it('XML is told by its content, whatever the ending says', async () => {
  expect(await send('report.json', stixXml)).toMatchObject({ stixVersion: '1.2' });
  expect(await files()).toMatchObject([{ media: 'xml' }]);
});
