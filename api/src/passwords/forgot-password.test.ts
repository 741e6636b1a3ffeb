import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshEmail, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { statementsOf } from '../testing/statements.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const forgot = (email: string) => visitor(api).post('/api/auth/forgot-password', { email });
const mails = async (email: string) => {
  const { rows } = await sql<{ kind: string; subject_id: string | null; detail: string }>`
    select kind, organization_id, subject_id, detail, tries from outgoing_mail where email = ${email}`.execute(
    api.database.system,
  );
  return rows;
};

describe('requesting a password reset', () => {
  it('requests one mail and notifies the workers once, with and without an account', async () => {
    const { user } = await signUp(api);
    for (const email of [user.email, freshEmail()]) {
      const nudges = () => api.relay.published.filter(({ topic }) => topic === 'mail.waiting').length;
      const before = nudges();
      const answer = await forgot(email);
      expect(answer.statusCode).toBe(202);
      expect(answer.json()).toEqual({
        message: 'If an account exists for this address, a reset link has been emailed to it.',
      });
      expect(await mails(email)).toEqual([
        { kind: 'password-reset', organization_id: null, subject_id: null, detail: '', tries: 0 },
      ]);
      expect(nudges()).toBe(before + 1);
    }
  });

  it('runs the same statements with and without an account, also beyond the limit', async () => {
    const { user } = await signUp(api);
    const stranger = freshEmail();
    for (let n = 0; n < 4; n += 1) {
      const known = await statementsOf(api, () => forgot(user.email));
      expect(known.length).toBeGreaterThan(3);
      expect(await statementsOf(api, () => forgot(stranger))).toEqual(known);
      // As a worker does: one mail is sent, the other one is dropped.
      await sql`delete from outgoing_mail`.execute(api.database.system);
    }
  });

  it('mails an address at most three times in fifteen minutes, in any case', async () => {
    const email = freshEmail();
    for (const input of [email, email.toUpperCase(), email, email]) {
      expect((await forgot(input)).statusCode).toBe(202);
    }
    expect(await mails(email)).toHaveLength(3);
    await sql`delete from outgoing_mail where email = ${email}`.execute(api.database.system);
    await forgot(email);
    expect(await mails(email)).toEqual([]);
  });

  /** Moves the counted mails into the past. The application may insert and delete them, but not update them. */
  const age = (minutes: number) =>
    sql`
      with moved as (delete from reset_request returning *)
      insert into reset_request select email_key, at - make_interval(mins => ${minutes}) from moved`.execute(
      api.database.system,
    );

  it('mails again after fifteen minutes', async () => {
    const email = freshEmail();
    for (let n = 0; n < 3; n += 1) await forgot(email);
    await age(14);
    await forgot(email);
    expect(await mails(email)).toHaveLength(3);
    await age(2);
    await forgot(email);
    expect(await mails(email)).toHaveLength(4);
  });

  it('does not wait for another transaction that changes old counts of other addresses', async () => {
    await forgot(freshEmail());
    await age(16);
    const email = freshEmail();
    await api.database.system.transaction().execute(async (trx) => {
      await trx.deleteFrom('reset_request').execute();
      expect((await forgot(email)).statusCode).toBe(202);
    });
    expect(await mails(email)).toHaveLength(1);
  });

  it('sends three mails for a hundred concurrent requests', async () => {
    const email = freshEmail();
    await Promise.all(Array.from({ length: 100 }, () => forgot(email)));
    expect(await mails(email)).toHaveLength(3);
  });

  it('is limited to ten requests a minute from one IP address', async () => {
    const browser = visitor(api);
    const codes: number[] = [];
    for (let n = 0; n < 11; n += 1)
      codes.push((await browser.post('/api/auth/forgot-password', { email: freshEmail() })).statusCode);
    expect(codes).toEqual([...Array<number>(10).fill(202), 429]);
  });

  it('refuses a missing address', async () => {
    expect((await forgot('not-an-address')).statusCode).toBe(422);
  });
});
