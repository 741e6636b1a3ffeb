import type { Alert, Call, Reply } from '@riskboard/contract';
import { mostUnread } from '@riskboard/contract';
import type { alerts } from '@riskboard/contract/schemas';
import { Id } from '@riskboard/contract/schemas';
import type { OrganizationTransaction } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';

interface Row {
  id: string;
  kind: Alert['kind'];
  severity: Alert['severity'];
  title: string;
  description: string;
  count: number;
  link: string;
  rule_id: string | null;
  rule_name: string | null;
  created_at: Date;
  read: boolean;
}

const present = (row: Row): Alert => ({
  _id: row.id,
  kind: row.kind,
  severity: row.severity,
  title: row.title,
  description: row.description,
  count: row.count,
  link: row.link,
  ruleId: row.rule_id,
  rule: row.rule_name,
  createdAt: row.created_at.toISOString(),
  read: row.read,
});

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

/** Rows after a cursor, which is the id of the last row shown. @throws Failure 422 for another text */
export function afterCursor(column: RawBuilder<unknown>, cursor: string | undefined): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`;
  if (!Id.safeParse(cursor).success) throw invalidField('cursor', 'This cursor is not valid.');
  return sql`${column} < ${cursor}`;
}

/** The rows of a page, and the cursor of the next one, of rows that were read with one more than the page has. */
export function pageOf<T extends { id: string }>(
  rows: readonly T[],
  limit: number,
): { shown: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  return { shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

export async function countUnread(trx: OrganizationTransaction, caller: Caller): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from alert where ${visible(caller)} and not ${isRead(caller)} limit ${mostUnread}) counted`.execute(
    trx,
  );
  return rows[0]?.unread ?? 0;
}

export async function listAlerts(
  trx: OrganizationTransaction,
  caller: Caller,
  { cursor, limit, unread }: Call<typeof alerts.list>['query'],
): Promise<Reply<typeof alerts.list>> {
  const { rows } = await sql<Row>`
    select id, kind, severity, title, description, count, link, rule_id, rule_name, created_at,
      ${isRead(caller)} as read
    from alert
    where ${visible(caller)} and ${afterCursor(sql`alert.id`, cursor)}
      and ${unread === 'true' ? sql`not ${isRead(caller)}` : sql`true`}
    order by alert.id desc limit ${limit + 1}`.execute(trx);
  const { shown, nextCursor } = pageOf(rows, limit);
  return { alerts: shown.map(present), nextCursor, unread: await countUnread(trx, caller) };
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
