import { importDays } from '@riskboard/contract';
import { tryHousekeepingLock } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { type RoundDeps, runSteps } from './steps.ts';

/** A deleted record can be restored this long. */
const restorableFor = sql`interval '30 days'`;

/**
 * Rows of each table that are no longer read, by the database's clock. Ended sessions, invitations and tokens are kept
 * 30 days for audits.
 */
const deletions = {
  password_reset: sql`delete from password_reset where expires_at < now()`,
  email_change: sql`delete from email_change where expires_at < now()`,
  invitation: sql`delete from invitation where expires_at < now() - interval '30 days'`,
  session: sql`delete from session where least(ended_at, expires_at) < now() - interval '30 days'`,
  // A session lasts 7 days at most; its rotated secrets are of no use afterwards.
  rotated_secret: sql`delete from rotated_secret where rotated_at < now() - interval '8 days'`,
  removed_session: sql`delete from removed_session where removed_at < now() - interval '8 days'`,
  // Login failures count for 15 minutes (contract, Accounts: login).
  login_failure: sql`delete from login_failure where at < now() - interval '1 day'`,
  // Wrong codes of a second factor count for an hour.
  second_factor_failure: sql`delete from second_factor_failure where at < now() - interval '1 day'`,
  api_token: sql`delete from api_token where expires_at < now() - interval '30 days'`,
  reset_request: sql`delete from reset_request where at < now() - interval '1 day'`,
  webhook_delivery: sql`delete from webhook_delivery where created_at < now() - interval '30 days' and state <> 'waiting'`,
  job: sql`
    delete from job
    where kind in ('alerts.evaluate', 'webhook.deliver') and state in ('succeeded', 'failed', 'cancelled')
      and created_at < now() - interval '30 days'`,
  // A deleted rule can be restored for an hour.
  alert_rule: sql`delete from alert_rule where deleted_at < now() - interval '1 hour'`,
  alert: sql`delete from alert where created_at < now() - interval '400 days'`,
  // As long as a deletion can be restored, an import can be undone.
  csv_import: sql`
    with old as (
      delete from csv_import where changed_at < now() - make_interval(days => ${importDays})
      returning organization_id, content_id
    )
    delete from file_content content using old
    where content.organization_id = old.organization_id and content.id = old.content_id`,
  // An asset and a vulnerability keep their scores as long as they can be restored. An extraction may have created the
  // vulnerability again under its id.
  deleted_record: sql`
    with outdated as materialized (
      select d.organization_id, d.id, d.noun from deleted_record d
      where d.deleted_at < now() - ${restorableFor} and not (d.noun = 'vulnerability' and exists (
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
    delete from deleted_record where deleted_at < now() - ${restorableFor}`,
} as const;

/**
 * Deletes outdated rows, each table in its own transaction under a lock: while another worker does this, nothing is
 * deleted here. A table that fails is left to the next round.
 * @returns the number of deleted rows
 */
export async function deleteOutdatedRows(deps: Pick<Deps, 'database'> & RoundDeps): Promise<number> {
  let deleted = 0n;
  const steps = Object.entries(deletions).map(
    ([table, deletion]) =>
      [
        `outdated rows not deleted: ${table}`,
        () =>
          deps.database.system.transaction().execute(async (trx) => {
            if (!(await tryHousekeepingLock(trx))) return;
            const { numAffectedRows = 0n } = await deletion.execute(trx);
            deleted += numAffectedRows;
          }),
      ] as const,
  );
  await runSteps(deps, steps);
  return Number(deleted);
}
