import { accountChanges } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askMail, keepLog, makeAccount, makeInvitation, sha256, tokenOf } from '../testing/mails.ts';
import { makeOrganization, openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';
import type { Letter } from './letter.ts';
import { leaseMs, pauseAfter } from './outgoing-mail.ts';
import { sendWaitingMails } from './send-mail.ts';
import type { MailTransport } from './transport.ts';

let harness: HarnessDatabase;
let organizationId: string;
let sent: Letter[];
let kept: ReturnType<typeof keepLog>;
beforeAll(async () => {
  harness = await openHarnessDatabase();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.system.deleteFrom('outgoing_mail').execute();
  organizationId = await makeOrganization(harness.database);
  sent = [];
  kept = keepLog();
});

const origin = 'https://risk.example.org';
const never = new AbortController().signal;
const taking: MailTransport = {
  async send({ letter }) {
    sent.push(letter);
    return {};
  },
};
const refusing = (error: object): MailTransport => ({
  send: ({ letter }) => {
    sent.push(letter);
    return Promise.reject(Object.assign(new Error('no'), error));
  },
});

const send = (transport = taking) =>
  sendWaitingMails(
    { system: harness.database.system, transport, origin, log: kept.log },
    { closing: never, tooLate: never },
  );
const waiting = async () => {
  const { rows } = await sql<{ id: string; tries: number; wait: number }>`
    select id, tries, round(extract(epoch from run_at - now()))::int as wait
    from outgoing_mail order by created_at, id`.execute(harness.database.system);
  return rows;
};
const makeDue = () =>
  harness.database.system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now()` })
    .execute();
const ask = (mail: Parameters<typeof askMail>[1]) => askMail(harness.database, mail);
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
  it('carries a link that only its reader has, for 10 minutes, to the address on record', async () => {
    const accountId = await makeAccount(harness.database, { email: 'ada@example.org', first_name: 'Ada' });
    await ask({ kind: 'password-reset', email: 'ADA@Example.org' });
    await send();
    const [letter] = sent;
    expect(letter).toMatchObject({
      to: 'ada@example.org',
      subject: 'Reset your Riskboard password',
      paragraphs: ['Hello Ada,', expect.stringContaining('within 10 minutes')],
    });
    const url = letter?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/reset-password\?token=[\w-]{43}$/);
    expect(await resets(accountId)).toEqual([{ token_hash: sha256(tokenOf(url)), minutes: 10 }]);
    expect(await waiting()).toEqual([]);
    expect(kept.text()).toContain('mail sent');
    expect(kept.text()).not.toContain(tokenOf(url));
  });

  it('of an address without an account sends nothing, leaves nothing and says nothing', async () => {
    await ask({ kind: 'password-reset', email: 'nobody@example.org' });
    await send();
    expect(sent).toEqual([]);
    expect(await waiting()).toEqual([]);
    expect(kept.text()).toBe('');
  });
});

describe('an invitation', () => {
  const invite = async (invitation: Partial<Parameters<typeof makeInvitation>[1]> = {}) => {
    const id = await makeInvitation(harness.database, { organizationId, ...invitation });
    await ask({
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

  it('says who invites to what, as what and until when, with a link of its own', async () => {
    await rename('Northquay Logistics');
    const invitedBy = await makeAccount(harness.database, { last_name: 'Lovelace', email: 'al@example.org' });
    const id = await invite({ invitedBy });
    await send();
    const [letter] = sent;
    expect(letter).toMatchObject({
      to: 'guest@example.org',
      subject: 'Invitation to Northquay Logistics on Riskboard',
    });
    expect(letter?.paragraphs[1]).toMatch(
      /^Ada Lovelace \(al@example\.org\) invites you to Northquay Logistics on Riskboard, .*an analyst, who/,
    );
    expect(letter?.paragraphs[2]).toMatch(
      /^The invitation is for guest@example\.org and valid until \w+ \d+, \d{4} at .* UTC\.$/,
    );
    const url = letter?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/invitation\?token=[\w-]{43}$/);
    expect(await hashOf(id)).toEqual(sha256(tokenOf(url)));
  });

  it('that is asked for again has a new link', async () => {
    const id = await invite();
    await ask({
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

  it('to an organization without a name, by somebody who has left', async () => {
    await invite();
    await rename('');
    await send();
    expect(sent[0]?.subject).toBe('Invitation to an organization on Riskboard');
    expect(sent[0]?.paragraphs[1]).toContain('A member invites you to an organization on Riskboard');
  });

  it('with hostile names is one line, without links of theirs', async () => {
    await rename('Win\r\nBcc: all@example.org <b>\u202E https://evil.example/x');
    const invitedBy = await makeAccount(harness.database, { first_name: 'go to www.evil.example\n\nnow' });
    await invite({ invitedBy });
    await send();
    const everything = [sent[0]?.subject ?? '', ...(sent[0]?.paragraphs ?? [])];
    expect(everything.filter((line) => /[\r\n\u202E]/.test(line))).toEqual([]);
    expect(sent[0]?.subject).toBe(
      'Invitation to Win Bcc: all@example.org <b> https://evil.example/x on Riskboard',
    );
    expect(sent[0]?.paragraphs[1]).not.toMatch(/evil\.example|:\/\//);
  });

  it.each([
    ['ran out', () => invite({ hours: -1 })],
    [
      'was withdrawn',
      async () => {
        const id = await invite();
        await harness.database.system.deleteFrom('invitation').where('id', '=', id).execute();
      },
    ],
    [
      'leads to an organization that is being deleted',
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
    expect(await waiting()).toEqual([]);
  });

  it('is asked for in the transaction that makes it, and goes with its organization', async () => {
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
    expect(await waiting()).toHaveLength(1);
    await withOrganization(harness.database, organizationId, (trx) =>
      trx.deleteFrom('organization').execute(),
    );
    expect(await waiting()).toEqual([]);
  });
});

describe('a new address', () => {
  /** As the api asks for it. @returns the account */
  async function change(email: string, minutes = 60): Promise<string> {
    const accountId = await makeAccount(harness.database, { email: `now-${newId()}@example.org` });
    await sql`insert into email_change (account_id, email, expires_at)
      values (${accountId}, ${email}, now() + make_interval(mins => ${minutes}))`.execute(
      harness.database.system,
    );
    await ask({ kind: 'email-change', email, subject_id: accountId });
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

  it('gets a link that only its reader has, which says of which account', async () => {
    const accountId = await change('fresh@example.org');
    await send();
    const [letter] = sent;
    expect(letter).toMatchObject({
      to: 'fresh@example.org',
      subject: 'Confirm your email address for Riskboard',
    });
    expect(letter?.paragraphs[1]).toMatch(
      /account now-[\w-]+@example\.org\. .* before .* UTC\. It works once\./u,
    );
    const url = letter?.action?.url ?? '';
    expect(url).toMatch(/^https:\/\/risk\.example\.org\/confirm-email\?token=[\w-]{43}$/);
    expect(await hashOf(accountId)).toEqual(sha256(tokenOf(url)));
    expect(kept.text()).not.toContain(tokenOf(url));
  });

  it('that has an account is told so by mail, without a link', async () => {
    await join(await makeAccount(harness.database, { email: 'Taken@example.org' }));
    const accountId = await change('taken@example.org');
    await send();
    expect(sent).toMatchObject([
      { to: 'Taken@example.org', subject: 'Your email address was entered at Riskboard' },
    ]);
    expect(sent[0]?.action).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain('token=');
    expect(await hashOf(accountId)).toBeNull();
  });

  it('of an account that belongs nowhere any more is as good as free', async () => {
    await makeAccount(harness.database, { email: 'left-over@example.org' });
    await change('left-over@example.org');
    await send();
    expect(sent[0]?.action).toBeDefined();
  });

  it.each([
    ['ran out', (email: string) => change(email, -1)],
    [
      'was replaced by another',
      async (email: string) => {
        const accountId = await change(email);
        await sql`update email_change set email = 'other@example.org' where account_id = ${accountId}`.execute(
          harness.database.system,
        );
      },
    ],
    [
      'ended with the password',
      async (email: string) => {
        const accountId = await change(email);
        await harness.database.system
          .deleteFrom('email_change')
          .where('account_id', '=', accountId)
          .execute();
      },
    ],
  ])('that %s is not written to', async (what, make) => {
    await make(`${what.replaceAll(' ', '-')}@example.org`);
    await send();
    expect(sent).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

describe('word of a change', () => {
  it.each(accountChanges.filter((change) => change !== 'email'))(
    '%s: what happened, to which account, when, and what to do',
    async (detail) => {
      const email = `${detail}@example.org`;
      await makeAccount(harness.database, { email });
      await ask({ kind: 'account-changed', email, detail, created_at: '2026-11-21T15:25:00Z' });
      await send();
      const [letter] = sent;
      expect(letter?.subject).toContain('Riskboard');
      expect(letter?.paragraphs[1]).toContain(
        `for your Riskboard account ${email} on November 21, 2026 at 3:25`,
      );
      expect(letter?.paragraphs[1]).toMatch(/PM UTC\. [A-Z].+\.$/u);
      expect(letter?.paragraphs[2]).toContain('reset your password at once');
      expect(letter?.action?.url).toBe('https://risk.example.org/');
    },
  );

  it('of the address goes to the one before, which the account has no more and cannot reset', async () => {
    const accountId = await makeAccount(harness.database, { email: 'new-address@example.org' });
    await ask({
      kind: 'account-changed',
      email: 'old-address@example.org',
      subject_id: accountId,
      detail: 'email',
    });
    await send();
    expect(sent[0]?.to).toBe('old-address@example.org');
    expect(sent[0]?.paragraphs[1]).toContain('for your Riskboard account old-address@example.org on');
    expect(sent[0]?.paragraphs[2]).toContain('tell an owner of your organization at once');
    expect(sent[0]?.action).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain('new-address');
  });

  it('each has a subject of its own', async () => {
    await makeAccount(harness.database, { email: 'all@example.org' });
    for (const detail of accountChanges)
      await ask({ kind: 'account-changed', email: 'all@example.org', detail });
    await send();
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(accountChanges.length);
  });

  it('that only a newer api knows is told in general words', async () => {
    await makeAccount(harness.database, { email: 'new@example.org' });
    await ask({ kind: 'account-changed', email: 'new@example.org', detail: 'constructor' });
    await send();
    expect(sent[0]?.subject).toBe('Your Riskboard account was changed');
  });

  it('of an account that is gone is not sent', async () => {
    await ask({ kind: 'account-changed', email: 'gone@example.org', detail: 'password' });
    await send();
    expect(sent).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

describe('a mail that nobody takes', () => {
  beforeEach(async () => {
    const email = `${newId()}@example.org`;
    await makeAccount(harness.database, { email });
    await ask({ kind: 'password-reset', email });
  });

  it('is tried ten times, each pause twice the last, and then given up with an error', async () => {
    const pauses: number[] = [];
    for (;;) {
      await send(refusing({ code: 'ECONNECTION' }));
      const [row] = await waiting();
      if (!row) break;
      expect(row.tries).toBe(pauses.length + 1);
      pauses.push(row.wait);
      await makeDue();
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
    expect(sent).toHaveLength(10);
    expect(kept.text().match(/"msg":"mail not sent"/g)).toHaveLength(9);
    expect(kept.text().match(/"level":50,.*"msg":"mail given up"/g)).toHaveLength(1);
  });

  it.each([
    { code: 'EENVELOPE', responseCode: 550 },
    { code: 'EMESSAGE', responseCode: 554 },
  ])('because it is refused for good ($code $responseCode) is given up at once', async (error) => {
    await send(refusing(error));
    expect(await waiting()).toEqual([]);
    expect(kept.text()).toContain('mail given up');
  });

  it.each([
    { code: 'EENVELOPE', responseCode: 450 },
    { code: 'EMESSAGE', responseCode: 503 },
    { code: 'EAUTH', responseCode: 535 },
    { code: 'ETLS' },
    { code: 'EACCES' },
  ])('for now ($code $responseCode) waits, with a link that is made anew', async (error) => {
    await send(refusing(error));
    expect(await waiting()).toMatchObject([{ tries: 1, wait: pauseAfter(1) }]);
    await makeDue();
    await send();
    const [first, second] = sent.map(({ action }) => action?.url);
    expect(second).not.toBe(first);
    expect(await waiting()).toEqual([]);
  });

  it('is told to the log without its link, even when the server quotes that', async () => {
    const quoting: MailTransport = {
      send: ({ letter }) => Promise.reject(new Error(`554 bad link ${letter.action?.url} in ${letter.to}`)),
    };
    await send(quoting);
    expect(kept.text()).toContain('554 bad link https://risk.example.org/reset-password?token=… in');
    expect(kept.text()).not.toMatch(/token=[\w-]/);
  });

  it('keeps no other from being sent', async () => {
    const email = 'second@example.org';
    await makeAccount(harness.database, { email });
    await ask({ kind: 'password-reset', email });
    const picky: MailTransport = {
      send: (envelope) =>
        envelope.letter.to === email ? taking.send(envelope) : Promise.reject(new Error('no')),
    };
    await send(picky);
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(await waiting()).toHaveLength(1);
  });
});

describe('several senders', () => {
  const askMany = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const email = `${newId()}@example.org`;
      await makeAccount(harness.database, { email });
      await ask({ kind: 'password-reset', email });
    }
  };

  it('at once send each mail once', async () => {
    await askMany(40);
    const slow: MailTransport = {
      async send(envelope) {
        await new Promise((done) => setTimeout(done, Math.random() * 5));
        return taking.send(envelope);
      },
    };
    await Promise.all([send(slow), send(slow), send(slow), send(slow)]);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(40);
    expect(sent).toHaveLength(40);
  });

  it('follow one that dies in the middle, when its time is up', async () => {
    await askMany(1);
    // It never comes back.
    void send({ send: () => new Promise(() => undefined) });
    await expect.poll(waiting).toMatchObject([{ tries: 1, wait: leaseMs / 1000 }]);
    await send();
    expect(sent).toEqual([]);
    await makeDue();
    await send();
    expect(sent).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('give up what every one of them died over', async () => {
    await askMany(1);
    await harness.database.system.updateTable('outgoing_mail').set({ tries: 10 }).execute();
    await send();
    expect(sent).toEqual([]);
    expect(await waiting()).toEqual([]);
    expect(kept.text()).toContain('no worker lived to send it');
  });

  it('that come late leave the mail to whoever has it now', async () => {
    await askMany(1);
    const late = Promise.withResolvers<object>();
    const begun = Promise.withResolvers<void>();
    const first = send({
      send: () => {
        begun.resolve();
        return late.promise;
      },
    });
    await begun.promise;
    await makeDue();
    await send(refusing({ code: 'ECONNECTION' }));
    late.resolve({});
    await first;
    expect(await waiting()).toMatchObject([{ tries: 2 }]);
  });
});
