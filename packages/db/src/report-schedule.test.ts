import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextReportAfter } from './report-schedule.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

describe('the next risk report', () => {
  it.each([
    ['week', '2026-11-30T05:59:59Z', '2026-11-30T06:00:00.000Z', 'on a Monday before 06:00'],
    ['week', '2026-11-30T06:00:00Z', '2026-12-07T06:00:00.000Z', 'on a Monday at 06:00'],
    ['week', '2026-12-01T00:00:00Z', '2026-12-07T06:00:00.000Z', 'on a Tuesday'],
    ['week', '2026-12-06T23:59:59Z', '2026-12-07T06:00:00.000Z', 'on a Sunday'],
    ['month', '2026-12-01T05:59:59Z', '2026-12-01T06:00:00.000Z', 'on a first day before 06:00'],
    ['month', '2026-12-01T06:00:00Z', '2027-01-01T06:00:00.000Z', 'on a first day at 06:00'],
    ['month', '2026-01-31T12:00:00Z', '2026-02-01T06:00:00.000Z', 'on a last day'],
  ])('of every %s, scheduled at %s, is due at %s: %s', async (every, at, next) => {
    const due = await database.app.transaction().execute(async (trx) => {
      await sql`set local time zone 'Pacific/Auckland'`.execute(trx);
      const { rows } = await sql<{ due: Date }>`
        select ${nextReportAfter(sql<Date>`${at}::timestamptz`)} as due
        from (select ${every}::text as every) chosen`.execute(trx);
      return rows[0]?.due;
    });
    expect(due?.toISOString()).toBe(next);
  });
});
