import type { ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { earlyInStep, setUpSecondFactor } from '../testing/accounts/authenticator.ts';
import { logged } from '../testing/logged.ts';
import { password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let other: TestApi;
beforeAll(async () => {
  api = await startApi();
  other = await startApi({}, { with: api });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

/** From an address of its own, as an attacker with many addresses. */
const login = (person: Person, code: string, where = api) =>
  visitor(where).post('/api/auth/login', { email: person.user.email, password, code });
const statuses = (answers: { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
const mails = async (person: Person) => {
  const { rows } = await sql<{ detail: string }>`
    select detail from outgoing_mail where email = ${person.user.email} order by id`.execute(
    api.database.system,
  );
  return rows.map(({ detail }) => detail).filter((detail) => detail !== 'second-factor-enabled');
};
/** Inserts wrong codes, which attempts through the API would delay. */
const enterWrongCodes = async (person: Person, count: number, minutesAgo = 1) => {
  await sql`
    insert into second_factor_failure (id, account_id, at)
    select gen_random_uuid(), ${person.user._id}, now() - make_interval(mins => ${minutesAgo})
    from generate_series(1, ${count})`.execute(api.database.system);
};

async function withSecondFactor() {
  await earlyInStep();
  const person = await signUp(api);
  const app = await setUpSecondFactor(api, person);
  await app.fresh();
  return { person, app };
}

describe('wrong second-factor codes after a right password', () => {
  it('are refused after ten in an hour from any addresses and processes, with one mail and one entry', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 7);
    const wrong = app.code(20);
    const answers = await Promise.all(
      [api, other, api, other, api, other].map((at) => login(person, wrong, at)),
    );
    expect(statuses(answers)).toEqual([401, 401, 401, 429, 429, 429]);
    const capped = await login(person, await app.fresh());
    expect(capped.json<ErrorReply>()).toMatchObject({
      statusCode: 429,
      message: 'Too many wrong codes. Use a recovery code, or try again in an hour.',
    });
    expect(Number(capped.headers['retry-after'])).toBeGreaterThan(0);
    expect(await mails(person)).toEqual(['second-factor-guessed']);
    const entries = await logged(api, person.user.organizationId);
    expect(entries.filter(({ action }) => action === 'account.code-limit-reached')).toMatchObject([
      { account_id: null, noun_id: person.user._id },
    ]);
  });

  it('still let the person in with a recovery code, which does not allow further guesses', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 10);
    expect((await login(person, app.recoveryCodes[0] ?? '')).statusCode).toBe(200);
    expect((await login(person, app.code())).statusCode).toBe(429);
  });

  it('count for an hour, and a correct code does not count', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 10, 61);
    await enterWrongCodes(person, 9, 59);
    expect((await login(person, app.code())).statusCode).toBe(200);
    expect((await login(person, await app.fresh())).statusCode).toBe(200);
    await enterWrongCodes(person, 1, 59);
    expect((await login(person, await app.fresh())).statusCode).toBe(429);
  });

  it('do not clear each other: a sign-in of the person gives an attacker no new guesses', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 9);
    expect((await login(person, app.code())).statusCode).toBe(200);
    expect((await login(person, app.code(20))).statusCode).toBe(401);
    expect((await login(person, await app.fresh())).statusCode).toBe(429);
  });

  it('are forgotten with a new password, which the attacker does not know', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 10);
    const changed = 'a new one that is long enough';
    const body = { current: password, password: changed, code: app.recoveryCodes[0] };
    expect((await person.post('/api/auth/password', body)).statusCode).toBe(200);
    const answer = await visitor(api).post('/api/auth/login', {
      email: person.user.email,
      password: changed,
      code: await app.fresh(),
    });
    expect(answer.statusCode).toBe(200);
  });

  it('are limited in the same way where a signed-in person confirms a change', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 9);
    const disable = (code: string) => person.post('/api/auth/second-factor/disable', { password, code });
    expect((await disable(app.code(20))).statusCode).toBe(403);
    expect((await disable(app.code())).statusCode).toBe(429);
    expect((await login(person, app.code())).statusCode).toBe(429);
    expect(await mails(person)).toEqual(['second-factor-guessed']);
    expect((await disable(app.recoveryCodes[0] ?? '')).statusCode).toBe(200);
  });

  it('of a wrong password are not counted', async () => {
    const { person, app } = await withSecondFactor();
    await enterWrongCodes(person, 9);
    const guess = { email: person.user.email, password: 'a wrong guess', code: app.code(20) };
    expect((await visitor(api).post('/api/auth/login', guess)).statusCode).toBe(401);
    expect((await login(person, app.code())).statusCode).toBe(200);
  });
});
