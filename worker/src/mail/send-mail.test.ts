import { accountChanges } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  captureLog,
  makeAccount,
  makeInvitation,
  requestMail,
  sha256,
  tokenOf,
} from '../testing/mail-fixtures.ts';
import { makeOrganization, openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';
import type { Email } from './email.ts';
import type { MailTransport } from './delivery/transport.ts';
import { leaseMs, pauseAfter } from './outgoing-mail.ts';
import { sendDueMails, slowMs, type StopSignals } from './send-mail.ts';

let harness: HarnessDatabase;
let organizationId: string;
let sent: Email[];
let log: ReturnType<typeof captureLog>;
beforeAll(async () => {
  harness = await openHarnessDatabase();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.system.deleteFrom('outgoing_mail').execute();
  organizationId = await makeOrganization(harness.database);
  sent = [];
  log = captureLog();
});

const origin = 'https://risk.example.org';
const never = new AbortController().signal;
const accepting: MailTransport = {
  async send({ email }) {
    sent.push(email);
    return {};
  },
};
const refusing = (error: object): MailTransport => ({
  send: ({ email }) => {
    sent.push(email);
    return Promise.reject(Object.assign(new Error('no'), error));
  },
});

const send = (
  transport = accepting,
  verifyEmail = false,
  stop: StopSignals = { closing: never, aborting: never },
) => sendDueMails({ system: harness.database.system, transport, origin, verifyEmail, log: log.logger }, stop);
const outgoing = async () => {
  const { rows } = await sql<{ id: string; tries: number; wait: number }>`
    select id, tries, greatest(0, round(extract(epoch from run_at - now())))::int as wait
    from outgoing_mail order by created_at, id`.execute(harness.database.system);
  return rows;
};
/** A mail in its first try, some seconds after it was leased. */
const leased = { tries: 1, wait: expect.closeTo(leaseMs / 1000, -1) };
const makeDue = () =>
  harness.database.system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now()` })
    .execute();
const request = (mail: Parameters<typeof requestMail>[1]) => requestMail(harness.database, mail);
const resets = (accountId: string) =>
  harness.database.system
    .selectFrom('password_reset')
    .select([
      'token_hash',
      sql<number>`round(extract(epoch from expires_at - now()) / 60)::int`.as('minutes'),
    ])
    .where('account_id', '=', accountId)
    .execute();

describe('a password reset', () => {
  it('sends a link that is valid for 10 minutes to the address on record, and stores only its hash', async () => {
    const accountId = await makeAccount(harness.database, { email: 'ada@example.org', first_name: 'Ada' });
    await request({ kind: 'password-reset', email: 'ADA@Example.org' });
    await send();
    const [mail] = sent;
    expect(mail).toMatchObject({
      to: 'ada@example.org',
      subject: 'Reset your Riskboard password',
      paragraphs: ['Hello Ada,', expect.stringContaining('within 10 minutes')],
    });
    const url = mail?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/reset-password\?token=[\w-]{43}$/);
    expect(await resets(accountId)).toEqual([{ token_hash: sha256(tokenOf(url)), minutes: 10 }]);
    expect(await outgoing()).toEqual([]);
    expect(log.text()).toContain('mail sent');
    expect(log.text()).not.toContain(sent[0]?.subject);
    expect(log.text()).not.toContain(tokenOf(url));
  });

  it("of an account that never confirmed its address offers an account of one's own, with the same secret", async () => {
    const email = 'unconfirmed@example.org';
    await makeAccount(harness.database, { email, created_at: '2026-11-21T15:25:00Z' });
    await request({ kind: 'password-reset', email });
    await send(accepting, true);
    const token = tokenOf(sent[0]?.action?.url ?? '');
    const [, warning] = sent[0]?.paragraphs ?? [];
    expect(warning).toContain('created on November 21, 2026');
    expect(warning).toContain(`https://risk.example.org/signup?claim=${token} instead`);
  });

  it.each([
    ['that confirmed its address', true, '2026-11-21T15:25:00Z'],
    ['without a mail server', false, null],
  ])('of an account %s offers no other account', async (what, verifyEmail, email_verified_at) => {
    const email = `${what.replaceAll(' ', '-')}@example.org`;
    await makeAccount(harness.database, { email, email_verified_at });
    await request({ kind: 'password-reset', email });
    await send(accepting, verifyEmail);
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toContain('claim=');
  });

  it('for an address without an account sends nothing and logs nothing', async () => {
    await request({ kind: 'password-reset', email: 'unknown@example.org' });
    await send();
    expect(sent).toEqual([]);
    expect(await outgoing()).toEqual([]);
    expect(log.text()).toBe('');
  });
});

describe('an invitation', () => {
  const invite = async (invitation: Partial<Parameters<typeof makeInvitation>[1]> = {}) => {
    const id = await makeInvitation(harness.database, { organizationId, ...invitation });
    await request({
      kind: 'invitation',
      email: 'guest@example.org',
      organization_id: organizationId,
      subject_id: id,
    });
    return id;
  };
  const hashOf = async (id: string) => {
    const { mail_hash } = await harness.database.system
      .selectFrom('invitation')
      .select('mail_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return mail_hash;
  };
  const rename = (name: string) =>
    harness.database.system
      .updateTable('organization')
      .set({ name })
      .where('organization_id', '=', organizationId)
      .execute();

  it('names the inviter, the organization, the role and the expiry, and has its own link', async () => {
    await rename('Northquay Logistics');
    const invitedBy = await makeAccount(harness.database, { last_name: 'Lovelace', email: 'al@example.org' });
    const id = await invite({ invitedBy });
    await send();
    const [mail] = sent;
    expect(mail).toMatchObject({
      to: 'guest@example.org',
      subject: 'Invitation to Northquay Logistics on Riskboard',
    });
    expect(mail?.paragraphs[1]).toMatch(
      /^Ada Lovelace \(al@example\.org\) invited you to Northquay Logistics on Riskboard, .*as an analyst: you can/,
    );
    expect(mail?.paragraphs[2]).toMatch(
      /^The invitation is for guest@example\.org and valid until \w+ \d+, \d{4} at .* UTC\.$/,
    );
    const url = mail?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/invitation\?token=[\w-]{43}$/);
    expect(await hashOf(id)).toEqual(sha256(tokenOf(url)));
  });

  it('that is requested again gets a new link', async () => {
    const id = await invite();
    await request({
      kind: 'invitation',
      email: 'guest@example.org',
      organization_id: organizationId,
      subject_id: id,
    });
    await send();
    const [first, second] = sent.map(({ action }) => action?.url ?? '');
    expect(first).not.toBe(second);
    expect(await hashOf(id)).toEqual(sha256(tokenOf(second ?? '')));
  });

  it('to an organization without a name, from a deleted account, uses general terms', async () => {
    await invite();
    await rename('');
    await send();
    expect(sent[0]?.subject).toBe('Invitation to an organization on Riskboard');
    expect(sent[0]?.paragraphs[1]).toContain('A member invited you to an organization on Riskboard');
  });

  it('keeps hostile names on one line, and none becomes a link', async () => {
    await rename('Win\r\nBcc: all@example.org <b>\u202E https://evil.example/x');
    const invitedBy = await makeAccount(harness.database, { first_name: 'go to www.evil.example\n\nnow' });
    await invite({ invitedBy });
    await send();
    const everything = [sent[0]?.subject ?? '', ...(sent[0]?.paragraphs ?? [])];
    expect(everything.filter((line) => /[\r\n\u202E]/.test(line))).toEqual([]);
    expect(sent[0]?.subject.replaceAll('\u200C', '')).toBe(
      'Invitation to Win Bcc: all@example.org <b> https://evil.example/x on Riskboard',
    );
    expect(everything.filter((line) => /evil\.example|:\/\//.test(line))).toEqual([]);
  });

  it.each([
    ['has expired', () => invite({ hours: -1 })],
    [
      'was withdrawn',
      async () => {
        const id = await invite();
        await harness.database.system.deleteFrom('invitation').where('id', '=', id).execute();
      },
    ],
    [
      'belongs to an organization that is being deleted',
      async () => {
        await invite();
        await sql`update organization set deleting_at = now() where organization_id = ${organizationId}`.execute(
          harness.database.system,
        );
      },
    ],
  ])('that %s is not sent', async (_what, make) => {
    await make();
    await send();
    expect(sent).toEqual([]);
    expect(await outgoing()).toEqual([]);
  });

  it('can be requested in the transaction of an organization, and is deleted with the organization', async () => {
    await withOrganization(harness.database, organizationId, async (trx) => {
      await trx
        .insertInto('outgoing_mail')
        .values({
          id: newId(),
          kind: 'invitation',
          email: 'guest@example.org',
          organization_id: organizationId,
        })
        .execute();
    });
    expect(await outgoing()).toHaveLength(1);
    await withOrganization(harness.database, organizationId, (trx) =>
      trx.deleteFrom('organization').execute(),
    );
    expect(await outgoing()).toEqual([]);
  });
});

describe('the confirmation of a new email address', () => {
  /** Requests a change of address as the api does. @returns the id of the account */
  async function requestChange(email: string, minutes = 60): Promise<string> {
    const accountId = await makeAccount(harness.database, { email: `now-${newId()}@example.org` });
    await sql`insert into email_change (account_id, email, expires_at)
      values (${accountId}, ${email}, now() + make_interval(mins => ${minutes}))`.execute(
      harness.database.system,
    );
    await request({ kind: 'email-change', email, subject_id: accountId });
    return accountId;
  }
  const hashOf = async (accountId: string) =>
    (
      await harness.database.system
        .selectFrom('email_change')
        .select('token_hash')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    )?.token_hash;
  const join = (accountId: string) =>
    withOrganization(harness.database, organizationId, (trx) =>
      trx
        .insertInto('membership')
        .values({ organization_id: organizationId, account_id: accountId, role: 'owner' })
        .execute(),
    );

  it('names the account and has a link, of which only the hash is stored', async () => {
    const accountId = await requestChange('fresh@example.org');
    await send();
    const [mail] = sent;
    expect(mail).toMatchObject({
      to: 'fresh@example.org',
      subject: 'Confirm your email address for Riskboard',
    });
    expect(mail?.paragraphs[1]).toMatch(
      /account now-[\w-]+@example\.org\. .* before .* UTC\. It works once\./u,
    );
    const url = mail?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/confirm-email\?token=[\w-]{43}$/);
    expect(await hashOf(accountId)).toEqual(sha256(tokenOf(url)));
    expect(log.text()).not.toContain(tokenOf(url));
  });

  it('has no link when another account has that address', async () => {
    await join(await makeAccount(harness.database, { email: 'Taken@example.org' }));
    const accountId = await requestChange('taken@example.org');
    await send();
    expect(sent).toMatchObject([
      { to: 'Taken@example.org', subject: 'Your email address was entered at Riskboard' },
    ]);
    expect(sent[0]?.action).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain('token=');
    expect(await hashOf(accountId)).toBeNull();
  });

  it('of the current address asks to confirm the account', async () => {
    const email = 'own@example.org';
    const accountId = await makeAccount(harness.database, { email });
    await join(accountId);
    await sql`insert into email_change (account_id, email, expires_at)
      values (${accountId}, ${email}, now() + interval '1 day')`.execute(harness.database.system);
    await request({ kind: 'email-change', email, subject_id: accountId });
    await send(accepting, true);
    expect(sent).toMatchObject([{ to: email, subject: 'Confirm your Riskboard account' }]);
    expect(await hashOf(accountId)).toEqual(sha256(tokenOf(sent[0]?.action?.url ?? '')));
  });

  it.each([
    ['never confirmed it, where addresses are confirmed', null, true, 1],
    ['never confirmed it, without a mail server', null, false, 0],
    ['confirmed it', '2026-11-21T15:25:00Z', true, 0],
  ])(
    'has a link although another account has the address, if that %s: %s %s %s',
    async (what, at, on, links) => {
      const email = `${what.replaceAll(/[ ,]+/gu, '-')}@example.org`;
      await join(await makeAccount(harness.database, { email, email_verified_at: at }));
      await requestChange(email);
      await send(accepting, on);
      expect(sent.filter(({ action }) => action !== undefined)).toHaveLength(links);
    },
  );

  it('is sent when the address belongs to an account without a membership', async () => {
    await makeAccount(harness.database, { email: 'left-over@example.org' });
    await requestChange('left-over@example.org');
    await send();
    expect(sent[0]?.action).toBeDefined();
  });

  it.each([
    ['has expired', (email: string) => requestChange(email, -1)],
    [
      'was replaced by another request',
      async (email: string) => {
        const accountId = await requestChange(email);
        await sql`update email_change set email = 'other@example.org' where account_id = ${accountId}`.execute(
          harness.database.system,
        );
      },
    ],
    [
      'was deleted by a password change',
      async (email: string) => {
        const accountId = await requestChange(email);
        await harness.database.system
          .deleteFrom('email_change')
          .where('account_id', '=', accountId)
          .execute();
      },
    ],
  ])('is not sent for a request that %s', async (what, make) => {
    await make(`${what.replaceAll(' ', '-')}@example.org`);
    await send();
    expect(sent).toEqual([]);
    expect(await outgoing()).toEqual([]);
  });
});

describe('the notice of an account change', () => {
  it.each(accountChanges.filter((change) => change !== 'email'))(
    '%s: names the event, the account, the time and what to do',
    async (detail) => {
      const email = `${detail}@example.org`;
      await makeAccount(harness.database, { email });
      await request({ kind: 'account-changed', email, detail, created_at: '2026-11-21T15:25:00Z' });
      await send();
      const [mail] = sent;
      expect(mail?.subject).toContain('Riskboard');
      expect(mail?.paragraphs[1]).toContain(
        `for your Riskboard account ${email} on November 21, 2026 at 3:25`,
      );
      expect(mail?.paragraphs[1]).toMatch(/PM UTC\. [A-Z].+\.$/u);
      expect(mail?.paragraphs[2]).toContain('reset your password at once');
      expect(mail?.action?.url).toBe('https://risk.example.org/');
    },
  );

  it('of a new address goes to the previous address, without a link to reset the password', async () => {
    const accountId = await makeAccount(harness.database, { email: 'new-address@example.org' });
    await request({
      kind: 'account-changed',
      email: 'old-address@example.org',
      subject_id: accountId,
      detail: 'email',
    });
    await send();
    expect(sent[0]?.to).toBe('old-address@example.org');
    expect(sent[0]?.paragraphs[1]).toContain('for your Riskboard account old-address@example.org on');
    expect(sent[0]?.paragraphs[2]).toContain('contact an owner of your organization at once');
    expect(sent[0]?.action).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain('new-address');
  });

  it('has a different subject for each kind of change', async () => {
    await makeAccount(harness.database, { email: 'all@example.org' });
    for (const detail of accountChanges)
      await request({ kind: 'account-changed', email: 'all@example.org', detail });
    await send();
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(accountChanges.length);
  });

  it('uses a general text for a change that only a newer api knows', async () => {
    await makeAccount(harness.database, { email: 'new@example.org' });
    await request({ kind: 'account-changed', email: 'new@example.org', detail: 'constructor' });
    await send();
    expect(sent[0]?.subject).toBe('Your Riskboard account was changed');
  });

  it('is not sent for an account that no longer exists', async () => {
    await request({ kind: 'account-changed', email: 'deleted@example.org', detail: 'password' });
    await send();
    expect(sent).toEqual([]);
    expect(await outgoing()).toEqual([]);
  });
});

describe('a mail that cannot be delivered', () => {
  beforeEach(async () => {
    const email = `${newId()}@example.org`;
    await makeAccount(harness.database, { email });
    await request({ kind: 'password-reset', email });
  });

  it('is tried ten times with doubling pauses, then abandoned with an error in the log', async () => {
    const pauses: number[] = [];
    for (;;) {
      await send(refusing({ code: 'ECONNECTION' }));
      const [row] = await outgoing();
      if (!row) break;
      expect(row.tries).toBe(pauses.length + 1);
      pauses.push(row.wait);
      await makeDue();
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
    expect(sent).toHaveLength(10);
    expect(log.text().match(/"msg":"mail not sent"/g)).toHaveLength(9);
    expect(log.text().match(/"level":50,.*"msg":"mail abandoned"/g)).toHaveLength(1);
  });

  it.each([
    { code: 'EENVELOPE', responseCode: 550 },
    { code: 'EMESSAGE', responseCode: 554 },
  ])('is abandoned at once after a permanent refusal ($code $responseCode)', async (error) => {
    await send(refusing(error));
    expect(await outgoing()).toEqual([]);
    expect(log.text()).toContain('mail abandoned');
  });

  it.each([
    { code: 'EENVELOPE', responseCode: 450 },
    { code: 'EMESSAGE', responseCode: 503 },
    { code: 'EAUTH', responseCode: 535 },
    { code: 'ETLS' },
    { code: 'EACCES' },
  ])('is tried again with a new link after a transient error ($code $responseCode)', async (error) => {
    await send(refusing(error));
    expect(await outgoing()).toMatchObject([{ tries: 1, wait: pauseAfter(1) }]);
    await makeDue();
    await send();
    const [first, second] = sent.map(({ action }) => action?.url);
    expect(second).not.toBe(first);
    expect(await outgoing()).toEqual([]);
  });

  it('because the worker closes is due at once, and the try does not count', async () => {
    await harness.database.system.updateTable('outgoing_mail').set({ tries: 9 }).execute();
    const aborting = new AbortController();
    const hanging: MailTransport = {
      send: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          aborting.abort();
        }),
    };
    await send(hanging, false, { closing: aborting.signal, aborting: aborting.signal });
    expect(await outgoing()).toMatchObject([{ tries: 9, wait: 0 }]);
    expect(log.text()).not.toContain('mail abandoned');
    await send();
    expect(sent).toHaveLength(1);
  });

  it('is logged without its token, even if the server quotes it', async () => {
    const quoting: MailTransport = {
      send: ({ email }) => Promise.reject(new Error(`554 bad link ${email.action?.url} in ${email.to}`)),
    };
    await send(quoting);
    expect(log.text()).toContain('554 bad link https://risk.example.org/reset-password?token=… in');
    expect(log.text()).not.toMatch(/token=[\w-]/);
  });

  it('does not block other mails', async () => {
    const email = 'second@example.org';
    await makeAccount(harness.database, { email });
    await request({ kind: 'password-reset', email });
    const selective: MailTransport = {
      send: (delivery) =>
        delivery.email.to === email ? accepting.send(delivery) : Promise.reject(new Error('no')),
    };
    await send(selective);
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(await outgoing()).toHaveLength(1);
  });
});

describe('several mail senders', () => {
  const requestMany = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const email = `${newId()}@example.org`;
      await makeAccount(harness.database, { email });
      await request({ kind: 'password-reset', email });
    }
  };

  it('send each mail once when they run at the same time', async () => {
    await requestMany(40);
    const slow: MailTransport = {
      async send(delivery) {
        await new Promise((done) => setTimeout(done, Math.random() * 5));
        return accepting.send(delivery);
      },
    };
    await Promise.all([send(slow), send(slow), send(slow), send(slow)]);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(40);
    expect(sent).toHaveLength(40);
  });

  it('send the mail of a crashed sender after its lease expires', async () => {
    await requestMany(1);
    const crashed = Promise.withResolvers<object>();
    const first = send({ send: () => crashed.promise });
    await vi.waitFor(async () => expect(await outgoing()).toMatchObject([leased]));
    await send();
    expect(sent).toEqual([]);
    await makeDue();
    await send();
    expect(sent).toHaveLength(1);
    expect(await outgoing()).toEqual([]);
    crashed.resolve({});
    await first;
  });

  it('renew the lease of a mail whose server has not answered yet', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const started = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<object>();
    await requestMany(1);
    const sending = send({
      send() {
        started.resolve();
        return answer.promise;
      },
    });
    try {
      await started.promise;
      await makeDue();
      vi.advanceTimersByTime(leaseMs / 2);
      await vi.waitFor(async () => expect(await outgoing()).toMatchObject([leased]));
    } finally {
      vi.useRealTimers();
      answer.resolve({});
      await sending;
    }
    expect(await outgoing()).toEqual([]);
  });

  it('send the next mails while a server answers one slowly, and wait for it when all connections are in use', async () => {
    const limit = 5;
    await requestMany(limit + 2);
    const started: string[] = [];
    const answers: PromiseWithResolvers<object>[] = [];
    const slow: MailTransport = {
      send({ email }) {
        started.push(email.to);
        const answer = Promise.withResolvers<object>();
        answers.push(answer);
        return answer.promise;
      },
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const sending = send(slow);
      for (let n = 1; n <= limit; n += 1) {
        await vi.waitFor(() => expect(started).toHaveLength(n));
        vi.advanceTimersByTime(slowMs);
      }
      await new Promise(setImmediate);
      expect(started).toHaveLength(limit);
      answers[0]?.resolve({});
      await vi.waitFor(() => expect(started).toHaveLength(limit + 1));
      for (const answer of answers) answer.resolve({});
      await vi.waitFor(() => expect(started).toHaveLength(limit + 2));
      for (const answer of answers) answer.resolve({});
      await sending;
      expect(new Set(started).size).toBe(limit + 2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('abandon a mail when the worker crashed during every try', async () => {
    await requestMany(1);
    await harness.database.system.updateTable('outgoing_mail').set({ tries: 10 }).execute();
    await send();
    expect(sent).toEqual([]);
    expect(await outgoing()).toEqual([]);
    expect(log.text()).toContain('the worker stopped unexpectedly during every try');
  });

  it('do not change a mail whose lease has passed to another sender', async () => {
    await requestMany(1);
    const late = Promise.withResolvers<object>();
    const started = Promise.withResolvers<void>();
    const first = send({
      send: () => {
        started.resolve();
        return late.promise;
      },
    });
    await started.promise;
    await makeDue();
    await send(refusing({ code: 'ECONNECTION' }));
    late.resolve({});
    await first;
    expect(await outgoing()).toMatchObject([{ tries: 2 }]);
  });
});
