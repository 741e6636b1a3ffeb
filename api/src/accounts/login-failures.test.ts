import { type Database, openDatabase, sessionLimits } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../lib/http/failure.ts';
import { freshAddress, freshEmail, password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { type Attempt, reserveAttempt, underAttemptLimits } from './login-failures.ts';

let api: TestApi;
/** Two processes whose attempts wait for each other as long as a slow machine takes, not 1.5 s as in the product. */
let processes: [Database, Database];
beforeAll(async () => {
  api = await startApi();
  const open = () =>
    openDatabase({ url: api.clone.url, limits: { ...sessionLimits.worker, answerMs: 30_000 } });
  processes = [open(), open()];
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.close()));
  await api.close();
});

const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  email: freshEmail(),
  address: freshAddress(),
  ...change,
});
const wrong = () => Promise.reject(new Failure('invalid_credentials'));
const codeOf = (error: unknown) => (error instanceof Failure ? error.code : String(error));
const guess = (what: Attempt, judge: () => Promise<unknown> = wrong) =>
  underAttemptLimits(api.database, what, judge).then(() => 'right', codeOf);
const guesses = async (count: number, what: () => Attempt) => {
  const codes: string[] = [];
  for (let n = 0; n < count; n += 1) codes.push(await guess(what()));
  return codes;
};

describe('an attempt is counted before it is checked', () => {
  it('five of a hundred concurrent attempts at one account in two processes are checked', async () => {
    const what = attempt();
    const attempts = Array.from({ length: 100 }, (_, n) =>
      reserveAttempt(processes[n % 2 ? 1 : 0], what).then(() => 'reserved', codeOf),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'reserved')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many')).toHaveLength(95);
  });

  it('twenty of a hundred concurrent attempts from one address at different accounts are checked', async () => {
    const { address } = attempt();
    const attempts = Array.from({ length: 100 }, () =>
      reserveAttempt(processes[0], attempt({ address })).then(() => 'reserved', codeOf),
    );
    expect((await Promise.all(attempts)).filter((code) => code === 'reserved')).toHaveLength(20);
  });
});

describe('counting attempts', () => {
  it('five failures for one account from any hosts of one IPv6 network are the limit', async () => {
    const { email } = attempt();
    const from = (host: number) =>
      reserveAttempt(api.database, { email, address: `2001:db8:7:9::${host}` }).then(
        () => 'reserved',
        codeOf,
      );
    const codes: unknown[] = [];
    for (let host = 1; host <= 6; host += 1) codes.push(await from(host));
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'reserved'), 'too_many']);
  });

  it('a success clears the failures of this address for this account only', async () => {
    const what = attempt();
    const elsewhere = attempt({ email: what.email });
    const another = attempt({ address: what.address });
    await guesses(4, () => what);
    await guesses(5, () => elsewhere);
    await guesses(5, () => another);
    expect(await guess(what, () => Promise.resolve())).toBe('right');
    expect(await guesses(6, () => what)).toEqual([
      ...Array<string>(5).fill('invalid_credentials'),
      'too_many',
    ]);
    expect(await guess(elsewhere)).toBe('too_many');
    expect(await guess(another)).toBe('too_many');
  });

  it.each(['second_factor_needed', 'not_found'] as const)(
    'the error %s is not counted and clears nothing',
    async (code) => {
      const what = attempt();
      await guesses(4, () => what);
      const undecided = () => Promise.reject(new Failure(code));
      for (let n = 0; n < 3; n += 1) expect(await guess(what, undecided)).toBe(code);
      expect(await guesses(2, () => what)).toEqual(['invalid_credentials', 'too_many']);
    },
  );

  it('an unexpected error is not counted as a wrong guess', async () => {
    const what = attempt();
    for (let n = 0; n < 6; n += 1)
      expect(await guess(what, () => Promise.reject(new Error('unforeseen')))).toBe('Error: unforeseen');
  });

  it('a wrong password of a signed-in person counts like a failed sign-in', async () => {
    const what = attempt();
    const wrongPassword = () => Promise.reject(new Failure('wrong_password'));
    for (let n = 0; n < 5; n += 1) expect(await guess(what, wrongPassword)).toBe('wrong_password');
    expect(await guess(what)).toBe('too_many');
  });
});

describe('after fifteen minutes', () => {
  /** The application may insert and delete failures, but not update them. */
  const age = ({ address }: Attempt, minutes: number) =>
    sql`
      with moved as (delete from login_failure where address = ${address} returning *)
      insert into login_failure (id, account_key, address, at)
      select gen_random_uuid(), account_key, address, at - make_interval(mins => ${minutes}) from moved`.execute(
      api.database.system,
    );

  it('failures no longer count', async () => {
    const what = attempt();
    await guesses(5, () => what);
    await age(what, 14);
    expect(await guess(what)).toBe('too_many');
    await age(what, 2);
    expect(await guess(what)).toBe('invalid_credentials');
  });

  it('Retry-After gives the time until the counted failures expire', async () => {
    const what = attempt();
    await guess(attempt({ address: what.address }));
    await age(what, 12);
    await guesses(5, () => what);
    await age(what, 2);
    const refusal = await reserveAttempt(api.database, what).catch((error: unknown) => error as Failure);
    const wait = Number((refusal as Failure).headers['retry-after']);
    expect(wait).toBeGreaterThan(12 * 60);
    expect(wait).toBeLessThanOrEqual(13 * 60);
  });
});

describe('a browser that had a session of the account before', () => {
  const login = async (person: Person, remoteAddress: string, body: object): Promise<number> =>
    (await person.call({ method: 'POST', url: '/api/auth/login', remoteAddress, body })).statusCode;

  /** An address with 20 failures, one for each of 20 accounts. */
  async function lockedAddress(): Promise<string> {
    const address = freshAddress();
    for (let n = 0; n < 20; n += 1) await reserveAttempt(api.database, attempt({ address }));
    return address;
  }

  it('is not locked out by failures of others at its address, and another browser there is', async () => {
    const address = await lockedAddress();
    const ada = await signUp(api);
    const right = { email: ada.user.email, password };
    await ada.post('/api/auth/logout');
    expect(await login(visitor(api), address, right)).toBe(429);
    expect(await login(ada, address, right)).toBe(200);
  });

  it('has its own limit, equal to that of an address, and is an unknown browser for another account', async () => {
    const address = await lockedAddress();
    const [ada, eve] = [await signUp(api), await signUp(api)];
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push(await login(ada, address, { email: ada.user.email, password: 'a wrong guess' }));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await login(ada, address, { email: eve.user.email, password })).toBe(429);
  });

  it('is one of at most twenty guesses of all browsers of the account; more are counted by address', async () => {
    const { email } = attempt();
    const [locked, clean] = [await lockedAddress(), freshAddress()];
    // Reserved attempts count as failures and are not delayed.
    const from = (address: string, device: number) =>
      reserveAttempt(api.database, { email, address, device: `browser-${device}` }).then(
        ({ source }) => source,
        codeOf,
      );
    for (let n = 0; n < 20; n += 1) expect(await from(locked, n)).toBe(`device browser-${n}`);
    expect(await from(locked, 20)).toBe('too_many');
    expect(await from(locked, 0)).toBe('too_many');
    for (let n = 0; n < 5; n += 1) expect(await from(clean, n)).toBe(clean);
    expect(await from(clean, 21)).toBe('too_many');
  });

  it('is not recognized by a session cookie or a forged one', async () => {
    const address = await lockedAddress();
    const ada = await signUp(api);
    for (const forged of [ada.cookies.get('rb_session') ?? '', 'forged']) {
      const stranger = visitor(api);
      stranger.cookies.set('rb_device', forged);
      expect(await login(stranger, address, { email: ada.user.email, password })).toBe(429);
    }
  });
});
