import { type Call, mostUnread } from '@riskboard/contract';
import type { alerts } from '@riskboard/contract/schemas';
import type { OrganizationTransaction } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';

/** Alerts that the role of the caller shows. */
const visible = ({ role }: Caller): RawBuilder<unknown> => sql`
  alert.organization_id = current_organization() and ${role === 'owner' ? sql`true` : sql`not alert.for_owners`}`;

/** Read by the caller: one by one, up to a mark, or older than the membership. */
const isRead = ({ accountId }: Caller): RawBuilder<boolean> => sql`(
  alert.id <= coalesce((select read_until from alert_reader
    where organization_id = current_organization() and account_id = ${accountId}), '00000000-0000-0000-0000-000000000000')
  or alert.created_at < (select created_at from membership
    where organization_id = current_organization() and account_id = ${accountId})
  or exists (select from alert_read r
    where r.organization_id = alert.organization_id and r.account_id = ${accountId} and r.alert_id = alert.id))`;

export async function countUnread(trx: OrganizationTransaction, caller: Caller): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from alert where ${visible(caller)} and not ${isRead(caller)} limit ${mostUnread}) counted`.execute(
    trx,
  );
  return rows[0]?.unread ?? 0;
}

/** Marks alerts as read for the caller. @throws Failure 404 when the alerts do not exist */
export async function markRead(
  trx: OrganizationTransaction,
  caller: Caller,
  { ids, until }: Call<typeof alerts.read>['body'],
): Promise<void> {
  if (ids) return markSome(trx, caller, ids);
  const { rows } = await sql<{ id: string }>`
    select id from alert where ${visible(caller)} and ${until === undefined ? sql`true` : sql`id = ${until}`}
    order by id desc limit 1`.execute(trx);
  const [newest] = rows;
  if (!newest && until !== undefined) throw new Failure('not_found', 'This alert does not exist.');
  if (!newest) return;
  await sql`
    insert into alert_reader (organization_id, account_id, read_until)
    values (current_organization(), ${caller.accountId}, ${newest.id})
    on conflict (organization_id, account_id)
      do update set read_until = greatest(alert_reader.read_until, excluded.read_until)`.execute(trx);
  await sql`
    delete from alert_read
    where organization_id = current_organization() and account_id = ${caller.accountId}
      and alert_id <= ${newest.id}`.execute(trx);
}

async function markSome(trx: OrganizationTransaction, caller: Caller, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from alert where ${visible(caller)} and id = any (${ids}::uuid[]) order by id`.execute(trx);
  if (rows.length === 0) throw new Failure('not_found', 'These alerts do not exist.');
  await sql`
    insert into alert_read (organization_id, account_id, alert_id)
    select current_organization(), ${caller.accountId}, id from unnest(${rows.map(({ id }) => id)}::uuid[]) as id
    on conflict do nothing`.execute(trx);
}
