import type { Alert } from '@riskboard/contract';
import { insertJob, type JobRow, newId, type OrganizationTransaction, selectJobs } from '@riskboard/db';
import { type AlertDraft, mailDueAt } from '@riskboard/domain';
import { sql } from 'kysely';
import { alertPayload } from './payload.ts';

/** An alert to store, with whom it notifies. */
export interface NewAlert {
  id: string;
  kind: Alert['kind'];
  draft: AlertDraft;
  /** Null for an alert without a rule, which owners get. */
  rule: { id: string; name: string; digest: 'immediately' | 'hourly' | 'daily' } | null;
  findings: readonly { subjectId: string; occurrence: string }[];
}

export interface SavedAlerts {
  ids: string[];
  /** Jobs of the deliveries; enqueue them after the commit. */
  jobs: JobRow[];
  /** Mails were requested. */
  mails: boolean;
}

interface Scope {
  organizationId: string;
  /** Scheme, host and port of links. */
  origin: string;
}

/** Stores alerts, requests their mails and creates their deliveries, under the lock of the alerts. */
export async function saveAlerts(
  trx: OrganizationTransaction,
  { organizationId, origin }: Scope,
  alerts: readonly NewAlert[],
): Promise<SavedAlerts> {
  const ids: string[] = [];
  const jobs: string[] = [];
  const mails = new Map<string, string>();
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx);
  const at = rows[0]?.now ?? new Date();
  for (const alert of alerts) {
    const { id } = alert;
    await insertAlert(trx, organizationId, alert);
    ids.push(id);
    await requestMails(trx, {
      id,
      dueAt: mailDueAt(alert.rule?.digest ?? 'immediately', at),
      at,
      alert,
      mails,
    });
    if (alert.rule) jobs.push(...(await createDeliveries(trx, { organizationId, origin, id, at, alert })));
  }
  const requested = await insertMails(trx, organizationId, mails);
  const created =
    jobs.length === 0 ? [] : await selectJobs(trx).where('job.id', 'in', jobs).orderBy('job.id').execute();
  return { ids, jobs: created, mails: requested };
}

async function insertAlert(
  trx: OrganizationTransaction,
  organizationId: string,
  { id, kind, draft, rule, findings }: NewAlert,
): Promise<void> {
  await trx
    .insertInto('alert')
    .values({
      organization_id: organizationId,
      id,
      kind,
      ...draft,
      rule_id: rule?.id ?? null,
      rule_name: rule?.name ?? null,
      for_owners: rule === null,
    })
    .execute();
  if (!rule) return;
  if (findings.length > 0)
    await sql`
      insert into alert_finding (organization_id, rule_id, subject_id, occurrence, alert_id)
      select current_organization(), ${rule.id}, subject_id, occurrence, ${id}
      from unnest(${findings.map(({ subjectId }) => subjectId)}::uuid[],
        ${findings.map(({ occurrence }) => occurrence)}::text[]) as found (subject_id, occurrence)`.execute(
      trx,
    );
  await trx
    .updateTable('alert_rule')
    .set({ last_alert_at: sql<Date>`now()` })
    .where('id', '=', rule.id)
    .execute();
}

interface Mailing {
  id: string;
  dueAt: Date;
  at: Date;
  alert: NewAlert;
  /** Mail of each member; all alerts of one evaluation share it. */
  mails: Map<string, string>;
}

/** Mails that are due now get their row in outgoing_mail with this transaction; digests wait for their time. */
async function requestMails(
  trx: OrganizationTransaction,
  { id, dueAt, at, alert, mails }: Mailing,
): Promise<void> {
  const recipients = alert.rule
    ? sql`select account_id from alert_rule_member
        where organization_id = current_organization() and rule_id = ${alert.rule.id}`
    : sql`select account_id from membership where organization_id = current_organization() and role = 'owner'`;
  const { rows } = await sql<{ account_id: string }>`${recipients} order by account_id`.execute(trx);
  if (rows.length === 0) return;
  const immediately = dueAt.getTime() <= at.getTime();
  for (const { account_id: account } of rows)
    if (immediately && !mails.has(account)) mails.set(account, newId());
  const accounts = rows.map((row) => row.account_id);
  await sql`
    insert into alert_mail (organization_id, account_id, alert_id, due_at, mail_id)
    select current_organization(), account_id, ${id}, ${dueAt}, mail_id
    from unnest(${accounts}::uuid[], ${accounts.map((account) => (immediately ? (mails.get(account) ?? null) : null))}::uuid[])
      as recipient (account_id, mail_id)`.execute(trx);
}

/** @param mails id of the mail by account @returns whether there are any */
export async function insertMails(
  trx: OrganizationTransaction,
  organizationId: string,
  mails: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (mails.size === 0) return false;
  await sql`
    insert into outgoing_mail (id, kind, email, organization_id, subject_id)
    select mail_id, 'alerts', account.email, ${organizationId}, account.id
    from unnest(${[...mails.keys()]}::uuid[], ${[...mails.values()]}::uuid[]) as mail (account_id, mail_id)
    join account on account.id = mail.account_id`.execute(trx);
  return true;
}

/** One delivery and its job for each enabled webhook of the rule. @returns the ids of the jobs */
async function createDeliveries(
  trx: OrganizationTransaction,
  { organizationId, origin, id, at, alert }: Scope & { id: string; at: Date; alert: NewAlert },
): Promise<string[]> {
  const { rule } = alert;
  if (!rule) return [];
  const { rows } = await sql<{ webhook_id: string }>`
    select webhook_id from alert_rule_webhook used
    join webhook on webhook.organization_id = used.organization_id and webhook.id = used.webhook_id and webhook.enabled
    where used.organization_id = current_organization() and used.rule_id = ${rule.id}
    order by webhook_id`.execute(trx);
  const payload = alertPayload({ id, at, origin, alert: { ...alert, rule } });
  const jobs: string[] = [];
  for (const { webhook_id: webhookId } of rows) {
    const deliveryId = newId();
    const jobId = await insertJob(trx, { kind: 'webhook.deliver', payload: { deliveryId }, organizationId });
    await trx
      .insertInto('webhook_delivery')
      .values({
        organization_id: organizationId,
        id: deliveryId,
        webhook_id: webhookId,
        type: 'alert.created',
        alert_id: id,
        payload,
        next_attempt_at: sql<Date>`now()`,
        job_id: jobId,
        leased_until: sql<Date>`now() + interval '10 minutes'`,
      })
      .execute();
    jobs.push(jobId);
  }
  return jobs;
}
