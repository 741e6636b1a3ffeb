import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form } from '../../testing/form.ts';
import { freshEmail, password, type Person, signUp, visitor } from '../../testing/person.ts';
import { bundle, strangeId } from '../../testing/report.ts';
import { makeToken, script } from '../../testing/accounts/script.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';
import { listen, openStream, refusal, streamWith } from '../../testing/stream.ts';

/** Control characters and direction marks, with a word to find the name by. */
const hostileName = 'quarterly\r\nSet-Cookie: a=b\u0000\u202E\u009b\u2028 "report".json';
const marker = 'content of a report that may not be in a log';
const secretsTyped = {
  guess: 'a wrong guess at a password',
  short: 'tooshort-9',
  common: 'password1234',
  newer: 'a newer password, long enough',
  broken: 'typed into JSON that is broken',
  misplaced: 'typed into the field of an address',
  code: '048151',
  link: 'bGluay10b2tlbi1vZi1hLW1haWw',
} as const;

let api: TestApi;
let ada: Person;
const lines: string[] = [];
const logging = { logLevel: 'trace', logTo: { write: (line: string) => void lines.push(line) } } as const;
/** The secrets of this test, by what they are; none may be in a log. */
const secrets = new Map<string, string>(Object.entries({ ...secretsTyped, password, marker }));

/** Secrets that the application generates and shows once. */
function keep(what: string, value: string | undefined): void {
  if (!value) throw new Error(`the story has no ${what}`);
  secrets.set(what, value);
}

const keepCookies = ({ cookies }: Person, whose: string): void => {
  for (const [name, value] of cookies) keep(`${whose} ${name}`, value);
};

async function signingIn(): Promise<void> {
  const { post, call } = visitor(api);
  const login = '/api/auth/login';
  await post(login, { email: ada.user.email, password: secretsTyped.guess });
  await post(login, { email: ada.user.email, password, code: secretsTyped.code });
  await post(login, { email: { password: secretsTyped.misplaced }, password: 7 });
  const json = { 'content-type': 'application/json' };
  for (const payload of [
    `{"password":"${secretsTyped.broken}"`,
    `{"password":"${secretsTyped.broken}\u0001"}`,
  ])
    await call({ method: 'POST', url: login, headers: json, payload });
  const signup = { email: freshEmail(), firstName: 'A\u0000' };
  for (const bad of [secretsTyped.short, secretsTyped.common])
    await post('/api/auth/signup', { ...signup, password: bad });
  await post('/api/auth/signup', { email: ada.user.email, password, firstName: 'Ada' });
  await post('/api/auth/signup', { email: secretsTyped.misplaced, password, firstName: 'Ada' });
}

async function secondFactor(): Promise<void> {
  const begun = await ada.post('/api/auth/second-factor/begin', { password });
  keep('secret of the authenticator', begun.json<{ secret?: string }>().secret);
  await ada.post('/api/auth/second-factor/begin', { password: secretsTyped.guess });
  await ada.post('/api/auth/second-factor/confirm', { code: secretsTyped.code });
}

async function tokens(): Promise<void> {
  const { token } = await makeToken(ada, { role: 'analyst' });
  keep('token', token);
  const call = script(api, token);
  await call('GET', '/api/jobs');
  await call('POST', '/api/reports/upload', form({ name: 'by-script.json', content: bundle(marker) }));
  await call('POST', '/api/auth/logout-everywhere');
  keep('wrong token', 'rb_12345678-an-unknown-token');
  await script(api, 'rb_12345678-an-unknown-token')('GET', `/api/jobs?fileId=${strangeId()}`);
}

/** Links carry their secret in the query of the page, and in a body of the api. */
async function links(): Promise<void> {
  await ada.post('/api/auth/forgot-password', { email: ada.user.email });
  for (const page of [
    '/reset-password',
    '/confirm-email',
    '/invitation',
    '/%zz',
    '/api/nothing',
    '/api/events',
  ])
    await ada.get(`${page}?token=${secretsTyped.link}`);
  await ada.post('/api/auth/reset-password', { token: secretsTyped.link, password: secretsTyped.newer });
  await ada.post('/api/auth/reset-password', { token: { secret: secretsTyped.link }, password: 'x' });
  await ada.post('/api/auth/invitation', { token: secretsTyped.link });
  const invited = await ada.post('/api/organization/invitations', { email: 'guest@example.org' });
  const { link = '' } = invited.json<{ link?: string }>();
  keep('token of an invitation', new URL(link).searchParams.get('token') ?? undefined);
  await ada.post('/api/auth/invitation', { token: new URL(link).searchParams.get('token') });
  await visitor(api).get(link.replace(origin, ''));
}

async function uploads(): Promise<void> {
  await ada.upload({ name: 'a.json', content: bundle(marker) });
  await ada.upload({ name: 'a.json', content: marker });
  await ada.upload({ name: 'a.json', content: `{"${marker}` });
  const named = (await ada.upload({ name: hostileName, content: bundle(marker) })).json<{ _id: string }>();
  await ada.get(`/api/reports/files/${named._id}/raw`);
  await ada.get(`/api/reports/files/${named._id}`);
  await ada.upload({ name: `${hostileName}.exe`, content: marker });
  await ada.upload({ name: 'b.json', content: marker, field: hostileName });
  await ada.get(`/api/reports/files?search=${encodeURIComponent(marker)}`);
  await ada.delete(`/api/reports/files/${strangeId()}`);
  await ada.get(`/api/${encodeURIComponent(hostileName)}`);
}

async function sockets(): Promise<void> {
  const url = await listen(api);
  const stream = openStream(url, ada);
  await stream.opened();
  stream.socket.terminate();
  const query = `?token=${secretsTyped.link}`;
  const byToken = streamWith(`${url}${query}`, { authorization: `Bearer ${secrets.get('token')}` });
  await byToken.opened();
  byToken.socket.terminate();
  await refusal(`${url}${query}`, { origin });
  await refusal(url.replace('/api/events', `/reset-password${query}`), { origin });
}

/** A second process with the same log, in which a sign-in fails unexpectedly. */
async function unforeseen(): Promise<void> {
  const broken = await startApi(logging, { with: api });
  broken.database.system.getExecutor().executeQuery = () => Promise.reject(new Error('unforeseen'));
  const answer = await visitor(broken).post('/api/auth/login', { email: ada.user.email, password });
  expect(answer.statusCode).toBe(500);
  await broken.close();
}

beforeAll(async () => {
  api = await startApi(logging);
  ada = await signUp(api, { email: 'logged@example.org' });
  keepCookies(ada, 'first');
  await signingIn();
  await secondFactor();
  await tokens();
  await links();
  await uploads();
  await sockets();
  await ada.post('/api/auth/refresh');
  keepCookies(ada, 'second');
  await ada.post('/api/auth/password', { current: secretsTyped.guess, password: secretsTyped.newer });
  await unforeseen();
  const foreign = { origin: 'https://evil.example' };
  await ada.call({ method: 'POST', url: '/api/auth/logout-everywhere', headers: foreign });
  await ada.becomes('viewer');
  await ada.delete(`/api/reports/files/${strangeId()}`);
  await ada.post('/api/auth/logout');
});
afterAll(() => api.close());

/** Plain, URL-encoded, JSON-escaped and base64-encoded: a log must not contain an encoded secret either. */
const disguises = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
  Buffer.from(secret).toString('hex'),
  // Each half of a cookie or token is a secret too.
  ...secret.split('.').filter((part) => part.length > 20),
];

describe('the log of a complete session at trace level', () => {
  it('comes from requests with every kind of secret', () => {
    expect(secrets.size).toBeGreaterThanOrEqual(16);
    for (const [what, secret] of secrets) expect([what, secret.length >= 6]).toEqual([what, true]);
  });

  it('contains none of the secrets, in any encoding', () => {
    expect(lines.length).toBeGreaterThan(100);
    for (const [what, secret] of secrets)
      for (const disguise of disguises(secret))
        expect([what, lines.filter((line) => line.includes(disguise))]).toEqual([what, []]);
  });

  it('contains requests, results and refusals', () => {
    const log = lines.join('');
    for (const message of ['access denied', 'unforeseen', 'incoming request', 'request completed'])
      expect(log).toContain(message);
    expect(log).not.toContain('logged@example.org');
    expect(log).not.toContain('guest@example.org');
  });

  it.each([
    ['a role too low', { code: 'role_too_low' }],
    ['a token where a session is needed', { code: 'session_needed' }],
    ['a wrong password of a signed-in person', { code: 'wrong_password' }],
    ['a foreign page', { code: 'foreign_origin', address: expect.stringMatching(/^10\./u) }],
  ])('contains the caller, address and reason of a refusal: %s', (_what, denial) => {
    const denied = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg, level }) => msg === 'access denied' && level === 40);
    expect(denied).toContainEqual(
      expect.objectContaining({
        accountId: ada.user._id,
        organizationId: ada.user.organizationId,
        reason: expect.stringMatching(/./u),
        reqId: expect.any(String),
        address: expect.any(String),
        ...denial,
      }),
    );
  });

  it('contains the refusal of an invalid token', () => {
    expect(lines.filter((line) => line.includes('"msg":"API token refused"'))).toHaveLength(1);
  });

  it('contains URLs without their query', () => {
    const requests = lines.map((line) => JSON.parse(line) as { req?: { url: string }; path?: string });
    const urls = requests.flatMap(({ req, path }) => [req?.url, path].filter((url) => url !== undefined));
    for (const url of ['/reset-password', '/invitation', '/api/events', '/api/reports/files', '/%zz'])
      expect(urls).toContain(url);
    expect(urls.filter((url) => url.includes('?'))).toEqual([]);
  });

  it('is one line of ASCII per entry, for any names in requests', () => {
    for (const line of lines) {
      expect(line).toMatch(/^[ -~]+\n$/u);
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
    }
  });
});
