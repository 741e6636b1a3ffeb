import { mailWaitingTopic } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/** The next Monday, or the next first day of a month, at 06:00 UTC. */
const nextDay = sql`case every
  when 'week' then date_trunc('week', now(), 'UTC') + interval '7 days'
  else (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' end + interval '6 hours'`;

/**
 * Requests a mail for each member whose risk report is due. A schedule moves to its next day in the same transaction, so
 * that several workers mail it once; after a pause without a worker it is mailed once, not for each missed day.
 * @returns the number of mails
 */
export async function mailDueReports(deps: Deps): Promise<number> {
  const { rows: organizations } = await sql<{ id: string }>`
    select distinct s.organization_id as id from report_schedule s
    join organization o on o.organization_id = s.organization_id and o.deleting_at is null
    where s.next_at <= now() order by 1`.execute(deps.database.system);
  let mailed = 0;
  for (const { id: organizationId } of organizations)
    mailed += await withOrganization(deps.database, organizationId, async (trx) => {
      const { rows: due } = await sql<{ id: string; account_id: string }>`
        update report_schedule set next_at = ${nextDay}
        where organization_id = current_organization() and next_at <= now()
        returning id, account_id`.execute(trx);
      for (const schedule of due)
        await sql`
          insert into outgoing_mail (id, kind, email, organization_id, subject_id)
          select ${newId()}, 'risk-report', account.email, ${organizationId}, ${schedule.id}
          from account where account.id = ${schedule.account_id}`.execute(trx);
      return due.length;
    });
  if (mailed > 0) await deps.relay.publish(mailWaitingTopic, {}).catch(() => undefined);
  return mailed;
}
