import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { form } from '../../testing/form.ts';
import {
  bySession,
  makeMember,
  makeOrganization,
  insertToken,
  withToken,
} from '../../testing/accounts/member.ts';
import { freshAddress, password } from '../../testing/person.ts';
import { bundle, strangeId } from '../../testing/report.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';
import { handshake, listen } from '../../testing/stream.ts';

type Headers = Record<string, unknown>;

let root: string;
let api: TestApi;
/** The same behind https. */
let secure: TestApi;
let address: { host: string; port: number; url: string };
let owner: Record<string, string>;
let viewer: Record<string, string>;
let fileId: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'riskboard-web-'));
  await mkdir(path.join(root, 'assets'));
  await writeFile(path.join(root, 'index.html'), '<!doctype html><meta nonce="__CSP_NONCE__">');
  await writeFile(path.join(root, 'assets/app-1a2b.js'), 'export {}');
  await writeFile(path.join(root, 'pages.json'), JSON.stringify({ '/dashboard/reports': [] }));
  await writeFile(path.join(root, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  api = await startApi({ webRoot: root });
  secure = await startApi({ webRoot: root, secureCookies: true }, { with: api });
  const member = await makeMember(api, await makeOrganization(api), 'owner');
  owner = (await bySession(api, member)).headers;
  viewer = withToken(await insertToken(api, member, { role: 'viewer' })).headers;
  const url = await listen(api);
  address = { host: '127.0.0.1', port: Number(new URL(url).port), url };
  const uploaded = await send({
    method: 'POST',
    url: '/api/reports/upload',
    ...merge(form({ name: 'a.json', content: bundle() })),
  });
  fileId = uploaded.json<{ _id: string }>()._id;
  await asWorker(api, { user: member }).read(fileId, { records: [{ key: 'CVE-2026-0001' }] });
});
afterAll(async () => {
  await secure.close();
  await api.close();
  await rm(root, { recursive: true });
});

const send = (options: InjectOptions, to: TestApi = api) =>
  to.app.inject({ remoteAddress: freshAddress(), headers: owner, ...options });
const merge = (request: InjectOptions): InjectOptions => ({
  ...request,
  headers: { ...owner, ...request.headers },
});
const json = (payload: string): InjectOptions =>
  merge({ headers: { 'content-type': 'application/json' }, payload });
const login = { method: 'POST', url: '/api/auth/login' } as const;

/** Every kind of reply, with its expected status. */
const answers: [string, number, () => InjectOptions][] = [
  ['the page', 200, () => ({ url: '/' })],
  ['a page of the app', 200, () => ({ url: '/dashboard/reports?token=x' })],
  ['an unknown page', 404, () => ({ url: '/no-such-page', headers: { accept: 'text/html' } })],
  ['the head of a page', 200, () => ({ method: 'HEAD', url: '/' })],
  ['a file of the web', 200, () => ({ url: '/assets/app-1a2b.js' })],
  ['the icon', 200, () => ({ url: '/icon.svg' })],
  ['a missing file of the web', 404, () => ({ url: '/assets/none.js' })],
  ['the api', 200, () => ({ url: '/api/jobs' })],
  ['the head of the api', 200, () => ({ method: 'HEAD', url: '/api/jobs' })],
  [
    'something created',
    201,
    () => ({ method: 'POST', url: '/api/auth/tokens', body: { name: 'x', password } }),
  ],
  ['a download', 200, () => ({ url: `/api/reports/files/${fileId}/raw` })],
  ['a CSV', 200, () => ({ url: `/api/reports/files/${fileId}/import-report/export?format=csv` })],
  ['a file with its content', 200, () => ({ url: `/api/reports/files/${fileId}` })],
  ['the document', 200, () => ({ url: '/api/openapi.json' })],
  ['the documentation', 200, () => ({ url: '/api/docs/' })],
  ['a file of the documentation', 200, () => ({ url: '/api/docs/static/swagger-ui.css' })],
  ['a missing file of the documentation', 404, () => ({ url: '/api/docs/static/none.css' })],
  ['broken JSON', 400, () => ({ ...login, ...json('{"password":') })],
  ['an invalid address of the api', 400, () => ({ url: '/api/jobs/%zz' })],
  ['an invalid address of a page', 400, () => ({ url: '/%zz' })],
  ['a plain request to the socket', 400, () => ({ url: '/api/events' })],
  ['a caller without a session', 401, () => ({ url: '/api/jobs', headers: {} })],
  ['a role too low', 403, () => ({ method: 'PUT', url: '/api/organization', headers: viewer, body: {} })],
  [
    'a foreign page',
    403,
    () => ({ ...login, headers: { origin: 'https://evil.example' }, body: { email: 'a', password: 'b' } }),
  ],
  ['an unknown record', 404, () => ({ url: `/api/jobs/${strangeId()}` })],
  ['an unknown endpoint', 404, () => ({ url: '/api/nothing' })],
  ['a parameter that is too long', 404, () => ({ url: `/api/jobs/${'1'.repeat(150)}` })],
  ['a method without an endpoint', 405, () => ({ method: 'OPTIONS', url: '/api/jobs' })],
  ['a body too large', 413, () => ({ ...login, ...json(`"${'x'.repeat(1024 * 1024)}"`) })],
  [
    'a body of a wrong type',
    415,
    () => ({ ...login, ...merge({ headers: { 'content-type': 'text/plain' }, payload: 'x' }) }),
  ],
  ['a body that is not valid', 422, () => ({ ...login, body: {} })],
];

/** The documentation's scripts and styles are not data of the API. */
const isOfTheApi = ({ url }: InjectOptions): boolean =>
  typeof url === 'string' && url.startsWith('/api/') && !url.startsWith('/api/docs/static/');

const expectSafe = (headers: Headers): void => {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringMatching(/camera=\(\).*microphone=\(\)/u),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(headers['content-security-policy']).toMatch(/default-src '(?:none|self)'/u);
  // Not covered by default-src (CSP 3, 6.1.3 and 6.3.1).
  expect(headers['content-security-policy']).toContain("base-uri 'none'");
  expect(headers['content-security-policy']).not.toMatch(/unsafe-|\*/u);
  for (const name of [
    'server',
    'x-powered-by',
    'access-control-allow-origin',
    'access-control-allow-credentials',
  ])
    expect([name, headers[name]]).toEqual([name, undefined]);
};

/** Content types that declare their character set (ASVS 5.0, 4.1.1). */
const isText = /^text\/|json|xml|javascript/u;

const yearlong = 'max-age=31536000; includeSubDomains';

describe('the reply to', () => {
  it.each(answers)('%s (%i) has the security headers', async (_what, status, request) => {
    const { statusCode, headers } = await send(request());
    expect(statusCode).toBe(status);
    expectSafe(headers);
    expect(headers['strict-transport-security']).toBeUndefined();
    if (headers['content-length'] !== '0') expect(headers['content-type']).toBeDefined();
    if (isText.test(String(headers['content-type'])))
      expect(headers['content-type']).toMatch(/; ?charset=utf-8$/iu);
  });

  it.each(answers)('%s (%i) has HSTS on https', async (_what, _status, request) => {
    const { headers } = await send(request(), secure);
    expect(headers['strict-transport-security']).toBe(yearlong);
  });

  it.each(answers.filter(([, , request]) => isOfTheApi(request())))(
    '%s (%i) is not cached',
    async (_what, _status, request) => {
      expect((await send(request())).headers['cache-control']).toBe('no-store');
    },
  );

  it('an unexpected error has the security headers', async () => {
    const broken = await startApi({}, { with: api });
    broken.database.system.getExecutor().executeQuery = () => Promise.reject(new Error('unforeseen'));
    const answer = await send({ url: '/api/jobs' }, broken);
    expect(answer.statusCode).toBe(500);
    expectSafe(answer.headers);
    expect(answer.headers['cache-control']).toBe('no-store');
    await broken.close();
  });

  it('too many calls has the security headers', async () => {
    const remoteAddress = freshAddress();
    const call = () =>
      send({ method: 'POST', url: '/api/auth/signup', remoteAddress, headers: { origin }, body: {} });
    for (let n = 0; n < 20; n += 1) await call();
    const answer = await call();
    expect(answer.statusCode).toBe(429);
    expectSafe(answer.headers);
  });
});

describe('a download', () => {
  it.each(['raw', 'import-report/export?format=csv', 'import-report/export?format=json'])(
    'of %s is an attachment',
    async (what) => {
      const { headers } = await send({ url: `/api/reports/files/${fileId}/${what}` });
      expect(headers['content-disposition']).toMatch(/^attachment; filename="/u);
      expect(headers['content-security-policy']).toContain('sandbox');
      expect(headers['content-type']).not.toMatch(/html|svg|xml/u);
    },
  );
});

describe('a malformed request', () => {
  /** The raw answer to raw bytes, and its headers. */
  async function raw(bytes: string): Promise<{ status: number; headers: Headers; body: string }> {
    const socket = connect(address);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = Buffer.concat(parts).toString().split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = lines.map((line) => line.split(/:\s*(.*)/u).slice(0, 2) as [string, string]);
    return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body };
  }

  it.each([
    ['no HTTP', 400, 'HELO riskboard\r\n\r\n'],
    ['an invalid header', 400, 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
    [
      'with a body of two lengths (request smuggling)',
      400,
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX',
    ],
    ['headers that are too long', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s is %i with the security headers', async (_what, status, bytes) => {
    const answer = await raw(bytes);
    expect(answer.status).toBe(status);
    expectSafe(answer.headers);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: status, code: 'malformed' });
  });

  it.each([
    ['a caller without a session', 401, () => ({ origin })],
    ['a foreign page', 403, () => ({ ...owner, origin: 'https://evil.example' })],
  ])('a socket for %s is %i with the security headers', async (_who, status, headers) => {
    const answer = await handshake(address.url, headers());
    expect(answer.statusCode).toBe(status);
    expectSafe(answer.headers);
  });
});
