import type { ErrorReply } from '@riskboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('sign-in', () => {
  const signIn = (browser: Person, email: string, secret: string) =>
    browser.post('/api/auth/login', { email, password: secret });

  it('answers a wrong password and an unknown address with the same words', async () => {
    const { user } = await signUp(api);
    const [wrong, unknown] = await Promise.all([
      signIn(visitor(api), user.email, 'not the password'),
      signIn(visitor(api), 'nobody@example.org', 'not the password'),
    ]);
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json<ErrorReply>().message).toBe('Invalid credentials, please try again.');
    const plain = (answer: typeof wrong) => ({ ...answer.json<ErrorReply>(), requestId: '' });
    expect(plain(unknown)).toEqual(plain(wrong));
  });

  it('accepts the address in any case and with blanks around it', async () => {
    const { user } = await signUp(api);
    const answer = await signIn(visitor(api), ` ${user.email.toUpperCase()} `, password);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ user });
  });

  it('refuses the sixth guess at an account from one address, and nobody elsewhere', async () => {
    const { user } = await signUp(api);
    const guesser = visitor(api);
    for (let n = 0; n < 5; n += 1)
      expect((await signIn(guesser, user.email, 'a wrong guess')).statusCode).toBe(401);
    const refused = await signIn(guesser, user.email, password);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(visitor(api), user.email, password)).statusCode).toBe(200);
  });

  it('checks no more than five of a hundred guesses at once', async () => {
    const { user } = await signUp(api);
    const guesser = visitor(api);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => signIn(guesser, user.email, 'a wrong guess')),
    );
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(95);
  });

  it('refuses an address after 20 failures at different accounts', async () => {
    const guesser = visitor(api);
    for (let n = 0; n < 20; n += 1)
      expect((await signIn(guesser, `sprayed-${n}@example.org`, 'a wrong guess')).statusCode).toBe(401);
    expect((await signIn(guesser, 'sprayed-20@example.org', 'a wrong guess')).statusCode).toBe(429);
  });

  it('forgets the failures of an account that then signs in', async () => {
    const { user } = await signUp(api);
    const browser = visitor(api);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) await signIn(browser, user.email, 'a wrong guess');
      expect((await signIn(browser, user.email, password)).statusCode).toBe(200);
    }
  });

  it('slows guessing from many addresses down and still lets the owner in', async () => {
    const { user } = await signUp(api);
    for (let n = 0; n < 12; n += 1) await signIn(visitor(api), user.email, 'a wrong guess');
    const before = performance.now();
    expect((await signIn(visitor(api), user.email, password)).statusCode).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(190);
  });
});
