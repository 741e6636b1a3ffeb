import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsEmail } from '../mail/templates/alerts.ts';
import type { Email } from '../mail/email.ts';
import { alertHarness } from '../testing/alerts.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import { requestDigests } from './alert-rounds.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let own: ReturnType<typeof alertHarness>;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  own = alertHarness(harness);
});

/** The mails that are requested, as the mail sender writes them. */
async function written(verifyEmail = false): Promise<(Email | undefined)[]> {
  const context = { system: harness.database.system, origin: 'https://risk.example.org', verifyEmail };
  const mails = await own.mails();
  return Promise.all(
    mails.map((mail) =>
      alertsEmail(context, {
        id: mail.id,
        kind: mail.kind,
        email: mail.email,
        organizationId: mail.organization_id,
        subjectId: mail.subject_id,
        detail: mail.detail,
        createdAt: mail.created_at,
        tries: 1,
      }),
    ),
  );
}

const daysLater = () =>
  harness.inside((trx) => sql`update alert_mail set due_at = due_at - interval '2 days'`.execute(trx));
const emailOf = async (id: string): Promise<string> =>
  (
    await harness.database.system
      .selectFrom('account')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).email;

describe('emails about alerts', () => {
  it('go to the chosen members at once, one for all alerts of an evaluation', async () => {
    const chosen = await own.member();
    await own.member();
    await own.rule({ kind: 'critical-vulnerability', mailTo: [chosen] });
    const [id] = await own.vulnerabilities(9.8);
    await own.evaluate();
    expect(harness.recorded.topics).toContain('mail.waiting');
    expect(await written()).toMatchObject([
      {
        to: await emailOf(chosen),
        subject: 'New critical vulnerability: Vulnerability 1',
        action: { url: `https://risk.example.org/dashboard/vulnerabilities/${id}` },
      },
    ]);
    await own.vulnerabilities(9, 3);
    await own.evaluate();
    expect((await written())[1]).toMatchObject({
      subject: '3 alerts of Riskboard',
      action: { url: 'https://risk.example.org/dashboard/alerts' },
    });
    expect(await requestDigests(harness.deps)).toBe(0);
  });

  it('list at most twenty alerts, the number of the others, and the page of the rules', async () => {
    const chosen = await own.member();
    await own.rule({ kind: 'critical-vulnerability', mailTo: [chosen], digest: 'daily' });
    await own.rule({ kind: 'score-above', score: 'cwss', threshold: 1, mailTo: [chosen], digest: 'daily' });
    await own.rule({ kind: 'score-above', score: 'cwss', threshold: 2, mailTo: [chosen], digest: 'daily' });
    await own.vulnerabilities(9, 8);
    await harness.inside((trx) => sql`update vulnerability set cwss_score = 5`.execute(trx));
    await own.evaluate();
    await daysLater();
    await requestDigests(harness.deps);
    const [digest] = await written();
    // The first paragraph introduces them.
    expect(digest?.paragraphs).toHaveLength(22);
    expect([digest?.subject, digest?.paragraphs.at(-1)]).toEqual(['24 alerts of Riskboard', 'and 4 more.']);
    expect(digest?.notes.join(' ')).toContain('https://risk.example.org/dashboard/settings/alerts');
  });

  it('are one digest of an hour or a day, requested once by several workers at once', async () => {
    const chosen = await own.member();
    await own.rule({ kind: 'critical-vulnerability', mailTo: [chosen], digest: 'daily' });
    for (let n = 0; n < 3; n += 1) {
      await own.vulnerabilities(9, 12);
      await own.evaluate();
    }
    expect([await own.mails(), await requestDigests(harness.deps)]).toEqual([[], 0]);
    await daysLater();
    const requested = await Promise.all(Array.from({ length: 4 }, () => requestDigests(harness.deps)));
    expect(requested.reduce((sum, one) => sum + one, 0)).toBe(1);
    const [digest] = await written();
    expect(digest).toMatchObject({ subject: '3 alerts of Riskboard' });
    expect(
      digest?.paragraphs.filter((text) => text.includes('12 new critical vulnerabilities')),
    ).toHaveLength(3);
  });

  it('are not sent to a member who left, whether the mail was requested or was waiting', async () => {
    const [left, stays] = [await own.member(), await own.member()];
    await own.rule({ kind: 'critical-vulnerability', mailTo: [left, stays] });
    await own.rule({
      kind: 'score-above',
      score: 'cwss',
      threshold: 1,
      mailTo: [left, stays],
      digest: 'hourly',
    });
    const [id] = await own.vulnerabilities(9);
    await harness.inside((trx) => sql`update vulnerability set cwss_score = 5 where id = ${id}`.execute(trx));
    await own.evaluate();
    await harness.inside((trx) => sql`delete from membership where account_id = ${left}`.execute(trx));
    await daysLater();
    expect(await requestDigests(harness.deps)).toBe(1);
    const sent = (await written()).filter((mail) => mail !== undefined);
    expect(sent.map(({ to }) => to)).toEqual([await emailOf(stays), await emailOf(stays)]);
  });

  it('are not sent while the organization is being deleted, nor to an unconfirmed address', async () => {
    const chosen = await own.member();
    await own.rule({ kind: 'critical-vulnerability', mailTo: [chosen] });
    await own.vulnerabilities(9);
    await own.evaluate();
    expect(await written(true)).toEqual([undefined]);
    await harness.database.system
      .updateTable('account')
      .set({ email_verified_at: sql<Date>`now()` })
      .where('id', '=', chosen)
      .execute();
    expect((await written(true))[0]).toBeDefined();
    await harness.inside((trx) => sql`update organization set deleting_at = now()`.execute(trx));
    expect(await written(true)).toEqual([undefined]);
  });

  it('show names from reports as plain text that becomes no link', async () => {
    const chosen = await own.member();
    await own.rule({ kind: 'critical-vulnerability', mailTo: [chosen] });
    const [id] = await own.vulnerabilities(9);
    await harness.inside((trx) =>
      sql`update vulnerability set name = ${'evil.example\r\nBcc: x'} where id = ${id}`.execute(trx),
    );
    await own.evaluate();
    const [mail] = await written();
    expect(mail?.subject).toBe('New critical vulnerability: evil.example Bcc: x');
    expect(mail?.paragraphs.join('\n')).not.toContain('evil.example');
  });
});
