import { type ErrorReply, vignetteMaxBytes } from '@riskboard/contract';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../lib/http/failure.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { form, type FormFile } from '../testing/form.ts';
import { type MalformedVignette, malformedVignettes } from '../testing/malformed-vignettes.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { readVignetteFile } from './read-file.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi({ uploadMaxBytes: 64 * 1024 * 1024 });
  ada = await signUp(api);
});
afterAll(() => api.close());

const tables = [
  'vignette',
  'vignette_version',
  'activity',
  'job',
  'file_content',
  'file_chunk',
  'report_file',
];

/** Rows of each table that an upload could write. */
async function stored(): Promise<Record<string, number>> {
  const counts = tables.map(
    (table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`,
  );
  const { rows } = await asWorker(api, ada).inside((trx) =>
    sql<Record<string, number>>`select ${sql.join(counts)}`.execute(trx),
  );
  return rows[0] ?? {};
}

const url = '/api/reports/upload-vignette';
const vignetteFile = (file: Partial<FormFile>): FormFile => ({
  field: 'vignetteFile',
  name: 'shop.json',
  content: '{}',
  ...file,
});
const send = (...files: FormFile[]): Promise<Answer> => call(form(...files));

/** Sends a request to the upload, which must store nothing. */
async function call(request: Omit<InjectOptions, 'method' | 'url'>): Promise<Answer> {
  const before = await stored();
  const answer = await ada.call({ method: 'POST', url, ...request });
  expect(await stored()).toEqual(before);
  return answer;
}

const cases = malformedVignettes();

/** What is wrong with an answer; undefined when it names the location. */
function problemOf(
  { path, says }: MalformedVignette,
  { message, details }: Pick<ErrorReply, 'message' | 'details'>,
): string | undefined {
  const [first] = details ?? [];
  if (first?.path !== path) return `path ${first?.path} instead of ${path}`;
  if (!message.startsWith(first.message)) return `the message is ${message}`;
  if (!/^.{10,500}$/u.test(first.message)) return `the detail is ${first.message}`;
  if (says === undefined) return first.message.includes(path) ? undefined : `${path} is not in ${message}`;
  const found = typeof says === 'string' ? message.includes(says) : says.test(message);
  return found ? undefined : `${says} is not in ${message}`;
}

/** How the reader of the endpoint refuses a file. */
function refusalOf({ content }: MalformedVignette): Pick<ErrorReply, 'message' | 'details'> | undefined {
  try {
    readVignetteFile(Buffer.from(content as string));
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    return { message: error.message, ...(error.details && { details: error.details }) };
  }
}

describe(`${cases.length} malformed vignettes`, () => {
  it('are at least 1,000, all different', () => {
    expect(new Set(cases.map(({ content }) => content.toString('utf8'))).size).toBeGreaterThan(1000);
  });

  it('are all refused by the reader, with the location of the fault', () => {
    const problems = cases.flatMap((one) => {
      const refusal = refusalOf(one);
      const problem = refusal === undefined ? 'accepted' : problemOf(one, refusal);
      return problem === undefined ? [] : `${one.what}: ${problem}`;
    });
    expect(problems).toEqual([]);
  });

  it('are answered with 422 over HTTP, and nothing is stored (each ninth, and all faults of the text)', async () => {
    const sent = cases.filter(({ path }, n) => n % 9 === 0 || path === 'vignetteFile');
    expect(sent.length).toBeGreaterThan(250);
    const problems: string[] = [];
    for (const one of sent) {
      const answer = await send(vignetteFile({ content: one.content }));
      const problem = answer.statusCode === 422 ? problemOf(one, answer.json<ErrorReply>()) : answer.body;
      if (problem !== undefined) problems.push(`${one.what}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

const valid = JSON.stringify({
  name: 'Shop',
  scorecard: [{ impact: 'Read data', layer: 'System', subscore: 5 }],
});

describe('an upload of a vignette is refused', () => {
  it.each([
    ['10 MB', valid.padEnd(10_000_000)],
    ['one byte more than 1 MiB', valid.padEnd(vignetteMaxBytes + 1)],
    ['10 MB of brackets', '['.repeat(10_000_000)],
  ])('with 413 when it has %s', async (_what, content) => {
    const answer = await send(vignetteFile({ content }));
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      413,
      'The file is too large; it may have at most 1 MiB.',
    ]);
  });

  it.each(['shop.xml', 'shop.txt', 'shop.csv', 'shop.json.exe', 'shop.jsonl', 'shop', 'json', '.JSON.gz'])(
    'with 415 as %s',
    async (name) => {
      const answer = await send(vignetteFile({ name, content: valid }));
      expect(answer.statusCode).toBe(415);
      expect(answer.json<ErrorReply>().message).toContain('Only .json files are accepted');
    },
  );

  it.each([
    ['an empty file', [vignetteFile({ content: '' })], 'The file is empty.'],
    ['no file', [{ field: 'vignetteFile', content: 'text only' }], 'Choose a file to upload.'],
    ['no part', [], 'Choose a file to upload.'],
    ['another field', [vignetteFile({ field: 'stixFile', content: valid })], 'in the field vignetteFile'],
    ['a file without a name', [vignetteFile({ name: '', content: valid })], 'The file needs a name.'],
    ['a name of 5,000 characters', [vignetteFile({ name: `${'x'.repeat(5000)}.json` })], 'longer than 255'],
    [
      'two files',
      [vignetteFile({ content: valid }), vignetteFile({ content: valid, name: 'b.json' })],
      'Send one file per request.',
    ],
  ])('with 422 for %s', async (_what, files, message) => {
    const answer = await send(...files);
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      422,
      expect.stringContaining(message),
    ]);
  });

  const whole = form(vignetteFile({ content: valid })).payload;
  const type = 'multipart/form-data; boundary=a-boundary-of-the-tests';
  it.each([
    ['a form cut in its file', whole.subarray(0, whole.length - 60), type],
    ['a form cut in its last boundary', whole.subarray(0, whole.length - 8), type],
    ['a form cut in a header', whole.subarray(0, 50), type],
    ['no boundary', whole, 'multipart/form-data'],
    ['another boundary', whole, 'multipart/form-data; boundary=other'],
    ['an empty form', Buffer.alloc(0), type],
  ])('with 4xx for %s', async (_what, payload, contentType) => {
    const answer = await call({ payload, headers: { 'content-type': contentType } });
    expect([400, 422]).toContain(answer.statusCode);
    expect(answer.json<ErrorReply>().message).not.toBe('');
  });

  it.each(['application/json', 'application/xml', 'text/plain', 'application/octet-stream'])(
    'with 415 as a body of the type %s',
    async (contentType) => {
      const answer = await call({ payload: valid, headers: { 'content-type': contentType } });
      expect(answer.statusCode).toBe(415);
    },
  );
});
