import { type Database, tryHousekeepingLock } from '@riskboard/db';
import { sql } from 'kysely';

/**
 * Rows that are no longer read, by the database's clock. Ended sessions, invitations and tokens are kept 30 days for
 * audits.
 */
const deletions = [
  sql`delete from password_reset where expires_at < now()`,
  sql`delete from email_change where expires_at < now()`,
  sql`delete from invitation where expires_at < now() - interval '30 days'`,
  sql`delete from session where least(ended_at, expires_at) < now() - interval '30 days'`,
  // A session lasts 7 days at most; its rotated secrets are of no use afterwards.
  sql`delete from rotated_secret where rotated_at < now() - interval '8 days'`,
  sql`delete from removed_session where removed_at < now() - interval '8 days'`,
  // Login failures count for 15 minutes (contract, Accounts: login).
  sql`delete from login_failure where at < now() - interval '1 day'`,
  // Wrong codes of a second factor count for an hour.
  sql`delete from second_factor_failure where at < now() - interval '1 day'`,
  sql`delete from api_token where expires_at < now() - interval '30 days'`,
  sql`delete from reset_request where at < now() - interval '1 day'`,
  sql`delete from webhook_delivery where created_at < now() - interval '30 days' and state <> 'waiting'`,
  sql`
    delete from job
    where kind in ('alerts.evaluate', 'webhook.deliver') and state in ('succeeded', 'failed', 'cancelled')
      and created_at < now() - interval '30 days'`,
  sql`delete from alert where created_at < now() - interval '400 days'`,
  // As long as a deletion can be restored, an import can be undone.
  sql`
    with old as (
      delete from csv_import where changed_at < now() - interval '30 days' returning organization_id, content_id
    )
    delete from file_content content using old
    where content.organization_id = old.organization_id and content.id = old.content_id`,
  // Deleted records can be restored for 30 days; an asset and a vulnerability keep their scores until then. An extraction
  // may have created the vulnerability again under its id.
  sql`
    with outdated as materialized (
      select d.organization_id, d.id, d.noun from deleted_record d
      where d.deleted_at < now() - interval '30 days' and not (d.noun = 'vulnerability' and exists (
        select from vulnerability v where v.organization_id = d.organization_id and v.id = d.id))
    ), asset_scores as (
      delete from asset_score s using outdated d
      where s.organization_id = d.organization_id and s.asset_id = d.id and d.noun = 'asset'
    ), cwss_scores as (
      delete from cwss_score s using outdated d
      where s.organization_id = d.organization_id and s.vulnerability_id = d.id and d.noun = 'vulnerability'
    ), overrides as (
      delete from cwss_override o using outdated d
      where o.organization_id = d.organization_id and o.vulnerability_id = d.id and d.noun = 'vulnerability'
    )
    delete from deleted_record where deleted_at < now() - interval '30 days'`,
] as const;

/**
 * Deletes outdated rows, each table in its own transaction under a lock: while another worker does this, nothing is
 * deleted here.
 * @returns the number of deleted rows
 */
export async function deleteOutdatedRows({ system }: Pick<Database, 'system'>): Promise<number> {
  let deleted = 0n;
  for (const deletion of deletions) {
    deleted += await system.transaction().execute(async (trx) => {
      if (!(await tryHousekeepingLock(trx))) return 0n;
      const { numAffectedRows = 0n } = await deletion.execute(trx);
      return numAffectedRows;
    });
  }
  return Number(deleted);
}
