import { newId, nextReportAt, withOrganization } from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { countEachOrganization } from './each-organization.ts';

/**
 * Requests a mail for each member whose risk report is due. A schedule moves to its next day in the same transaction, so
 * that several workers mail it once; after a pause without a worker it is mailed once, not for each missed day. A schedule that moved
 * while the clock was ahead moves back.
 * @returns the number of mails
 */
export async function mailDueReports(deps: Deps): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct s.organization_id as id from report_schedule s
    join organization o on o.organization_id = s.organization_id and o.deleting_at is null
    where s.next_at <= now() or s.next_at > ${nextReportAt} order by 1`.execute(deps.database.system);
  const mailed = await countEachOrganization(deps, { rows, failure: 'risk reports not mailed' }, ({ id }) =>
    requestMails(deps, id),
  );
  if (mailed > 0) await notifyMailSender(deps.relay);
  return mailed;
}

const requestMails = (deps: Deps, organizationId: string): Promise<number> =>
  withOrganization(deps.database, organizationId, async (trx) => {
    await sql`
      update report_schedule set next_at = ${nextReportAt}
      where organization_id = current_organization() and next_at > ${nextReportAt}`.execute(trx);
    const { rows: due } = await sql<{ id: string; account_id: string }>`
      update report_schedule set next_at = ${nextReportAt}
      where organization_id = current_organization() and next_at <= now()
      returning id, account_id`.execute(trx);
    for (const schedule of due)
      await sql`
        insert into outgoing_mail (id, kind, email, organization_id, subject_id)
        select ${newId()}, 'risk-report', account.email, ${organizationId}, ${schedule.id}
        from account where account.id = ${schedule.account_id}`.execute(trx);
    return due.length;
  });
