import { type ErrorReply, ownerOf, signedInAsField, signedInAsHeader, type User } from '@riskboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertToken, withToken } from '../testing/accounts/member.ts';
import { type Answer, cookieHeader, password, type Person, signUp } from '../testing/person.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { statementsOf } from '../testing/statements.ts';
import { handshake, listen, openStream } from '../testing/stream.ts';

let api: TestApi;
let url: string;
beforeAll(async () => {
  api = await startApi();
  url = await listen(api);
});
afterAll(() => api.close());

const nil = '00000000-0000-7000-8000-000000000000';

/** Creates a project from a page that names whom it shows. */
const create = (person: Person, shown: string) =>
  person.call({
    method: 'POST',
    url: '/api/projects',
    headers: { [signedInAsHeader]: shown },
    payload: { name: 'North quay', description: 'Renewal', startDate: '2026-01-01' },
  });

const projectsOf = async (person: Person) =>
  (await person.get('/api/projects')).json<{ total: number }>().total;

const refusalOf = (answer: Answer) => {
  const { code, message } = answer.json<ErrorReply>();
  return { status: answer.statusCode, code, message };
};

/** Two accounts, of which the second one has logged in in the browser of the first. */
async function switched(): Promise<{ browser: Person; before: User; now: User }> {
  const [browser, other] = await Promise.all([signUp(api), signUp(api)]);
  const before = browser.user;
  await browser.post('/api/auth/login', { email: other.user.email, password });
  return { browser, before, now: other.user };
}

describe('a call by session whose page names an account and an organization', () => {
  it('is accepted when they are those of the session', async () => {
    const person = await signUp(api);
    expect((await create(person, ownerOf(person.user))).statusCode).toBe(201);
  });

  it('is refused before anything is done when the session is of another organization', async () => {
    const person = await signUp(api);
    const answer = await create(person, ownerOf({ ...person.user, organizationId: nil }));
    expect(refusalOf(answer)).toEqual({
      status: 409,
      code: 'session_changed',
      message: 'You have switched to another organization since this page was opened. Nothing was changed.',
    });
    expect(await projectsOf(person)).toBe(0);
  });

  it('is refused before anything is done when another account has logged in', async () => {
    const { browser, before } = await switched();
    expect(refusalOf(await create(browser, ownerOf(before)))).toEqual({
      status: 409,
      code: 'session_changed',
      message: 'You have logged in with another account since this page was opened. Nothing was changed.',
    });
    expect(await projectsOf(browser)).toBe(0);
  });

  it.each([
    ['GET', '/api/projects'],
    ['GET', '/api/auth/me'],
    ['POST', '/api/auth/logout'],
  ] as const)('is refused for %s %s too', async (method, path) => {
    const { browser, before } = await switched();
    const answer = await browser.call({
      method,
      url: path,
      headers: { [signedInAsHeader]: ownerOf(before) },
    });
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'session_changed' });
    expect((await browser.get('/api/auth/me')).statusCode).toBe(200);
  });

  it('is refused for an upload before the file is read', async () => {
    const { browser, before } = await switched();
    const answer = await browser.call({
      method: 'POST',
      url: '/api/reports/upload',
      headers: { [signedInAsHeader]: ownerOf(before), 'content-type': 'multipart/form-data; boundary=x' },
      payload: 'not a form',
    });
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'session_changed' });
  });

  it.each(['', 'nonsense', nil, `${nil} ${nil} ${nil}`, `${nil}, ${nil}`])(
    'is malformed when the header is "%s"',
    async (shown) => {
      const person = await signUp(api);
      expect(refusalOf(await create(person, shown))).toEqual({
        status: 400,
        code: 'malformed',
        message:
          'riskboard-signed-in-as must be the id of an account, a space and the id of an organization.',
      });
      expect(await projectsOf(person)).toBe(0);
    },
  );

  it('takes no more statements than without the header', async () => {
    const person = await signUp(api);
    const headers = { [signedInAsHeader]: ownerOf(person.user) };
    const plain = await statementsOf(api, () => person.get('/api/projects'));
    const compared = await statementsOf(api, () =>
      person.call({ method: 'GET', url: '/api/projects', headers }),
    );
    expect(compared).toHaveLength(plain.length);
  });
});

describe('calls that name nothing', () => {
  it('are accepted for any session', async () => {
    const { browser, now } = await switched();
    expect((await browser.get('/api/auth/me')).json()).toEqual({ user: now });
  });

  it('an API token ignores the header, because it has one account and organization', async () => {
    const { user } = await signUp(api);
    const token = await insertToken(
      api,
      { accountId: user._id, organizationId: user.organizationId },
      { role: 'viewer' },
    );
    const { headers, remoteAddress } = withToken(token);
    const answer = await api.app.inject({
      url: '/api/projects',
      headers: { ...headers, [signedInAsHeader]: `${nil} ${nil}` },
      remoteAddress,
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('the address of the WebSocket', () => {
  const addressFor = (user: User) =>
    `${url}?${new URLSearchParams({ [signedInAsField]: ownerOf(user) }).toString()}`;

  it('may name the account and organization of the session', async () => {
    const person = await signUp(api);
    const stream = openStream(addressFor(person.user), person);
    await stream.opened();
    expect(stream.types().slice(0, 2)).toEqual(['hello', 'snapshot']);
    stream.socket.terminate();
  });

  it('is refused when the session is of another account', async () => {
    const { browser, before } = await switched();
    const answer = await handshake(addressFor(before), { origin, cookie: cookieHeader(browser.cookies) });
    expect(answer.statusCode).toBe(409);
  });
});
