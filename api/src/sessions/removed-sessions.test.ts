import type { User } from '@riskboard/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { invite } from '../testing/accounts/invite.ts';
import { freshEmail, password, type Person, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
afterEach(() => void vi.useRealTimers());

const quayEnded = {
  statusCode: 401,
  code: 'access_ended',
  message: 'You no longer have access to Quay. Ask an owner if this is unexpected.',
};

async function join(browser: Person, { email, more }: { email: string; more: object }): Promise<Person> {
  const answer = await browser.post('/api/auth/signup', { email, password, firstName: 'Ben', ...more });
  expect(answer.statusCode).toBe(201);
  browser.user = answer.json<{ user: User }>().user;
  return browser;
}
const ownerOf = (organization: string) => join(visitor(api), { email: freshEmail(), more: { organization } });

/** An owner of the organization 'Quay' and a member who has signed up by invitation. */
async function quay(): Promise<{ owner: Person; ben: Person; removeBen: () => Promise<void> }> {
  const owner = await ownerOf('Quay');
  const email = freshEmail();
  const ben = await join(visitor(api), { email, more: { invitation: await invite(owner, email) } });
  const removeBen = async () => {
    const answer = await owner.delete(`/api/organization/members/${ben.user._id}`);
    expect(answer.statusCode).toBe(200);
  };
  return { owner, ben, removeBen };
}

const me = async (person: Person) => (await person.get('/api/auth/me')).json<object>();
const logIn = async (browser: Person, email: string, secret = password) =>
  (await browser.post('/api/auth/login', { email, password: secret })).json<object>();

describe('the browser of a removed member', () => {
  it('reads at the next call that access ended', async () => {
    const { ben, removeBen } = await quay();
    await removeBen();
    expect(await me(ben)).toMatchObject(quayEnded);
  });

  it('reads it at a reload after its session cookie has expired', async () => {
    const { ben, removeBen } = await quay();
    await removeBen();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(await me(ben)).toMatchObject(quayEnded);
  });

  it('reads it at a login, when the account was deleted with its only membership', async () => {
    const { ben, removeBen } = await quay();
    await removeBen();
    expect(await logIn(ben, ben.user.email)).toMatchObject(quayEnded);
    expect(await logIn(ben, freshEmail())).toMatchObject({ code: 'invalid_credentials' });
  });

  it('logs in to another organization of the same account', async () => {
    const { ben, removeBen } = await quay();
    const invitation = await invite(await ownerOf('Harbour'), ben.user.email);
    await ben.post('/api/auth/login', { email: ben.user.email, password, invitation });
    await removeBen();
    expect(await logIn(ben, ben.user.email, 'a wrong password')).toMatchObject({
      code: 'invalid_credentials',
    });
    expect(await logIn(ben, ben.user.email)).toMatchObject({ user: { organization: 'Harbour' } });
  });
});

it('a browser without a session of the removed member reads only that the credentials are invalid', async () => {
  const { ben, removeBen } = await quay();
  await removeBen();
  expect(await logIn(visitor(api), ben.user.email)).toMatchObject({ code: 'invalid_credentials' });
});

it('a session that an owner ended without removing the member reads that the session ended', async () => {
  const { owner, ben } = await quay();
  await owner.post(`/api/organization/members/${ben.user._id}/end-sessions`, { password });
  expect(await me(ben)).toMatchObject({ code: 'session_expired' });
});

it('a member who leaves reads that the session ended', async () => {
  const { ben } = await quay();
  const cookies = new Map(ben.cookies);
  await ben.post('/api/organization/leave', { password });
  for (const [name, value] of cookies) ben.cookies.set(name, value);
  expect(await me(ben)).toMatchObject({ code: 'session_expired' });
});
