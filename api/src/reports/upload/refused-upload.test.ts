import { gzipSync } from 'node:zlib';
import type { ErrorReply } from '@riskboard/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { form } from '../../testing/form.ts';
import { assertNoOrphanedChunks } from '../../testing/orphaned-chunks.ts';
import { type Answer, type Person, signUp } from '../../testing/person.ts';
import { bundle, largeBundle } from '../../testing/report.ts';
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

const messageOf = (answer: Answer): string => answer.json<ErrorReply>().message;

describe('an upload is refused', () => {
  it.each(['report.txt', 'report.json.exe', 'report', 'json'])('as %s with 415', async (name) => {
    const answer = await ada.upload({ name, content: bundle() });
    expect(answer.statusCode).toBe(415);
    expect(messageOf(answer)).toContain('Only .json and .xml');
  });

  it.each([
    ['empty', '', 'The file is empty.'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'neither JSON nor XML'],
    ['an archive', Buffer.from('PK\u0003\u0004\u0014'), 'the file is a ZIP archive. Unpack it'],
    ['compressed', gzipSync(bundle()), 'the file is compressed with gzip. Unpack it'],
    ['a web page', '<html><body>Hi</body></html>', ''],
    ['other JSON', '{"name":"package","version":"1.0.0"}', 'JSON with the keys "name", "version"'],
    ['a list of lists', '[[1,2],[3]]', 'a JSON list without objects'],
    ['malformed in its first member', '{"name": package}', 'a value is expected here (line 1, column 10)'],
    [
      'a bundle whose objects are no list',
      '{"type":"bundle","objects":{}}',
      '"objects" must be a list, not an object',
    ],
    ['a file that starts with NUL', Buffer.from('\0\0{}'), 'which is neither JSON nor XML'],
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
    ['a boundary without end', 'x', `multipart/form-data; boundary=${'b'.repeat(4000)}`],
    [
      'a field that says it is JSON',
      '--b\r\nContent-Disposition: form-data; name="x"\r\nContent-Type: application/json\r\n\r\n{\r\n--b--\r\n',
      'multipart/form-data; boundary=b',
    ],
    ['a header cut short', '--b\r\nContent-Dispo', 'multipart/form-data; boundary=b'],
  ])('when the form is malformed by %s, with 400', async (_what, payload, type) => {
    expect((await raw(payload, type)).statusCode).toBe(400);
  });

  it('when it is not a form, with 415', async () => {
    expect((await raw('{}', 'application/json')).statusCode).toBe(415);
  });

  it('as two files in one request, with 422', async () => {
    const two = form({ name: 'a.json', content: bundle() }, { name: 'b.json', content: bundle() });
    const answer = await ada.call({ method: 'POST', url: '/api/reports/upload', ...two });
    expect(answer.statusCode).toBe(422);
    expect(messageOf(answer)).toBe('Send one file per request.');
  });
});
