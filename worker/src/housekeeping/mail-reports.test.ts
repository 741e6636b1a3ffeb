import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { riskReportEmail } from '../mail/templates/risk-report.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import { seed } from '../testing/seed.ts';
import { mailDueReports } from './mail-reports.ts';

let harnesses: HarnessDatabase;
let admin: Client;
let harness: TestHarness;
let account: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  admin = new Client({ connectionString: harnesses.test.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harnesses.close();
});
beforeEach(async () => {
  harness = await harnesses.open();
  account = (await seed(harness, admin)).ownerId;
  await admin.query('delete from report_schedule');
  await admin.query('delete from outgoing_mail');
});

const schedule = (every: 'week' | 'month', nextAt: string) =>
  harness.inside((trx) =>
    sql`
      insert into report_schedule (organization_id, id, account_id, every, next_at)
      values (${harness.organizationId}, ${newId()}, ${account}, ${every}, ${nextAt})`.execute(trx),
  );

const mails = async () =>
  (
    await admin.query<{ id: string; subject_id: string; email: string }>(
      "select id, subject_id, email from outgoing_mail where kind = 'risk-report'",
    )
  ).rows;

const emailOf = async () => {
  const [mail] = await mails();
  const context = { system: harness.database.system, origin: 'https://risk.example.org', verifyEmail: false };
  return riskReportEmail(context, {
    id: mail?.id ?? '',
    kind: 'risk-report',
    email: mail?.email ?? '',
    organizationId: harness.organizationId,
    subjectId: mail?.subject_id ?? '',
    detail: '',
    createdAt: new Date(),
    tries: 1,
  });
};

describe('risk reports that are due', () => {
  it('are mailed once by two workers, and once after a long pause; the schedule moves into the future', async () => {
    await schedule('month', '2025-01-01T06:00:00Z');
    const counts = await Promise.all([mailDueReports(harness.deps), mailDueReports(harness.deps)]);
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 1]);
    expect(await mails()).toHaveLength(1);
    const { rows } = await admin.query<{ next_at: Date }>('select next_at from report_schedule');
    expect(rows[0]?.next_at.getTime()).toBeGreaterThan(Date.now());
    expect(rows[0]?.next_at.toISOString().slice(8)).toBe('01T06:00:00.000Z');
  });

  it('are not mailed before their day', async () => {
    await schedule('week', '2999-01-01T06:00:00Z');
    expect(await mailDueReports(harness.deps)).toBe(0);
    expect(await mails()).toEqual([]);
  });

  it('are due on the next day of their schedule again after the clock was ahead for a while', async () => {
    await schedule('week', '2999-01-07T06:00:00Z');
    expect(await mailDueReports(harness.deps)).toBe(0);
    const { rows } = await admin.query<{ days: number }>(
      'select extract(epoch from next_at - now())::float8 / 86400 as days from report_schedule',
    );
    expect(rows[0]?.days).toBeGreaterThan(0);
    expect(rows[0]?.days).toBeLessThanOrEqual(7);
  });

  it('name the address of the report and none of its numbers', async () => {
    await schedule('week', '2025-01-01T06:00:00Z');
    await mailDueReports(harness.deps);
    const email = await emailOf();
    expect(email?.action?.url).toBe('https://risk.example.org/dashboard/report');
    expect(email?.paragraphs.join(' ')).toContain('weekly risk report');
  });

  it('are not sent to a member who left after the mail was requested', async () => {
    await schedule('week', '2025-01-01T06:00:00Z');
    await mailDueReports(harness.deps);
    await admin.query('delete from membership where account_id = $1', [account]);
    expect(await emailOf()).toBeUndefined();
  });
});
