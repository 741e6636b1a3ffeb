import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { reportForm } from '../support/enter.ts';
import { mailedToken } from '../support/outbox.ts';
import { startProduct } from '../support/product.ts';
import { repeatUnavailable } from '../support/repeat-unavailable.ts';

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Not a word that the product itself could write. */
const unique = (what: string): string => `${what}${randomBytes(12).toString('hex')}`;

it('at the most detailed level, no line of api and worker has a password, a token, a cookie, an email address or content of a report', async () => {
  const product = await startProduct({ env: { LOG_LEVEL: 'trace' } });
  onTestFinished(() => product.stop());
  const [origin = ''] = product.origins;
  const email = `${unique('ada')}@example.org`;
  const invited = `${unique('grace')}@example.org`;
  const password = `${unique('Pass')} with words`;
  const secrets: Record<string, string> = { email, invited, password };
  const send = (path: string, init: RequestInit, cookie = '') =>
    repeatUnavailable(() =>
      fetch(`${origin}/api${path}`, { ...init, headers: { origin, cookie, ...(init.headers as object) } }),
    );

  const signedUp = await send('/auth/signup', json('POST', { email, password, firstName: 'Ada' }));
  expect(signedUp.status).toBe(201);
  const cookies = signedUp.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  for (const cookie of cookies)
    secrets[`cookie ${cookie.split('=')[0]}`] = cookie.slice(cookie.indexOf('=') + 1);
  const call = (path: string, init: RequestInit = {}) => send(path, init, cookies.join('; '));

  secrets['wrong password'] = unique('wrong');
  await send('/auth/login', json('POST', { email, password: secrets['wrong password'] }));
  const created = await call('/auth/tokens', json('POST', { name: 'ci', password }));
  secrets['API token'] = ((await created.json()) as { token: string }).token;
  await fetch(`${origin}/api/jobs?token=${secrets['API token']}`, {
    headers: { authorization: `Bearer ${secrets['API token']}` },
  });
  await call('/organization/invitations', json('POST', { email: invited, role: 'viewer', password }));
  secrets['invitation'] = await mailedToken(product.outbox, invited);
  await send(`/auth/invitation?token=${secrets['invitation']}`, { method: 'GET' });
  await send('/auth/forgot-password', json('POST', { email }));
  secrets['password reset'] = await mailedToken(product.outbox, 'password');

  secrets['content'] = unique('content');
  secrets['unread content'] = unique('unread');
  const report = (name: string, more = '') =>
    `{"type":"bundle","id":"bundle--01a20000-0000-4000-8000-000000000001","objects":[{"type":"vulnerability","spec_version":"2.1","id":"vulnerability--01a20000-0000-4000-8000-000000000002","created":"2026-01-01T00:00:00Z","modified":"2026-01-01T00:00:00Z","name":"${name}"}${more}]}`;
  await call('/reports/upload?extract=vulnerabilities', reportForm('good.json', report(secrets['content'])));
  await call('/reports/upload', reportForm('broken.json', report('x', `,{"${secrets['unread content']}":`)));
  await call('/vulnerabilities', json('POST', { title: secrets['content'], severity: 'nonsense' }));
  await vi.waitFor(
    async () => {
      const { total } = (await (await call('/jobs?state=queued&state=running')).json()) as { total: number };
      expect(total).toBe(0);
    },
    { timeout: 30_000, interval: 200 },
  );

  expect(Object.values(secrets).filter((secret) => secret.length < 20)).toEqual([]);
  const lines = product.log().split('\n').filter(Boolean);
  // The calls above are in the log.
  expect(lines.join('\n')).toContain('/api/reports/upload');
  expect(lines.join('\n')).toContain('stix.parse');
  const leaks = Object.entries(secrets).flatMap(([name, secret]) =>
    lines
      .filter((line) => line.includes(secret) || line.includes(encodeURIComponent(secret)))
      .map((line) => `${name}: ${line}`),
  );
  expect(leaks).toEqual([]);
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ name: expect.stringMatching(/^(?:api|worker)$/u) });
});
