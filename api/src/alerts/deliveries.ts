import type { Call, Reply, WebhookDelivery, WebhookMessage } from '@riskboard/contract';
import { Id, type webhookDeliveries } from '@riskboard/contract/schemas';
import {
  insertJob,
  type JobRow,
  lockAlerts,
  newId,
  type OrganizationTransaction,
  selectJobs,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';

interface Row {
  id: string;
  webhook_id: string;
  webhook: string;
  enabled: boolean;
  type: WebhookDelivery['type'];
  alert_id: string | null;
  alert: string | null;
  state: WebhookDelivery['state'];
  attempts: number;
  status_code: number | null;
  duration_ms: number | null;
  error: string | null;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  payload: string;
}

const selectDeliveries = async (trx: OrganizationTransaction, rest: RawBuilder<unknown>): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select d.id, d.webhook_id, w.name as webhook, w.enabled, d.type, d.alert_id, alert.title as alert, d.state,
      d.attempts, d.status_code, d.duration_ms, d.error, d.created_at, d.last_attempt_at, d.next_attempt_at, d.payload
    from webhook_delivery d
    join webhook w on w.organization_id = d.organization_id and w.id = d.webhook_id
    left join alert on alert.organization_id = d.organization_id and alert.id = d.alert_id
    where d.organization_id = current_organization() and ${rest}`.execute(trx);
  return rows;
};

const present = (row: Row): WebhookDelivery => ({
  _id: row.id,
  webhookId: row.webhook_id,
  webhook: row.webhook,
  type: row.type,
  alertId: row.alert_id,
  alert: row.alert,
  state: row.state,
  attempts: row.attempts,
  statusCode: row.status_code,
  durationMs: row.duration_ms,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
});

/** @throws Failure 404 */
async function findDelivery(trx: OrganizationTransaction, id: string): Promise<Row> {
  const [row] = await selectDeliveries(trx, sql`d.id = ${id}`);
  if (!row) throw new Failure('not_found', 'This delivery does not exist.');
  return row;
}

/** Rows after a cursor, which is the id of the last row shown. @throws Failure 422 for another text */
function afterCursor(column: RawBuilder<unknown>, cursor: string | undefined): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`;
  if (!Id.safeParse(cursor).success) throw invalidField('cursor', 'This cursor is not valid.');
  return sql`${column} < ${cursor}`;
}

/** The rows of a page, and the cursor of the next one, of rows that were read with one more than the page has. */
function pageOf<T extends { id: string }>(
  rows: readonly T[],
  limit: number,
): { shown: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  return { shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

export async function listDeliveries(
  trx: OrganizationTransaction,
  { cursor, limit, webhookId, state }: Call<typeof webhookDeliveries.list>['query'],
): Promise<Reply<typeof webhookDeliveries.list>> {
  if (webhookId !== undefined) await requireWebhook(trx, webhookId);
  const rows = await selectDeliveries(
    trx,
    sql`${afterCursor(sql`d.id`, cursor)}
      and ${webhookId === undefined ? sql`true` : sql`d.webhook_id = ${webhookId}`}
      and ${state === undefined ? sql`true` : sql`d.state = ${state}`}
    order by d.id desc limit ${limit + 1}`,
  );
  const { shown, nextCursor } = pageOf(rows, limit);
  return { deliveries: shown.map(present), nextCursor };
}

export async function getDelivery(
  trx: OrganizationTransaction,
  id: string,
): Promise<Reply<typeof webhookDeliveries.get>> {
  const row = await findDelivery(trx, id);
  const attempts = await trx
    .selectFrom('webhook_attempt')
    .select(['at', 'status_code', 'duration_ms', 'error'])
    .where('delivery_id', '=', id)
    .orderBy('n')
    .execute();
  return {
    ...present(row),
    payload: row.payload,
    log: attempts.map((attempt) => ({
      at: attempt.at.toISOString(),
      statusCode: attempt.status_code,
      durationMs: attempt.duration_ms,
      error: attempt.error,
    })),
  };
}

const now = sql<Date>`now()`;
const lease = sql<Date>`now() + interval '10 minutes'`;

const newJob = (trx: OrganizationTransaction, caller: Caller, deliveryId: string): Promise<string> =>
  insertJob(trx, {
    kind: 'webhook.deliver',
    payload: { deliveryId },
    organizationId: caller.organizationId,
    createdBy: caller.accountId,
  });

const jobOf = (trx: OrganizationTransaction, id: string): Promise<JobRow> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();

/** @throws Failure 404 */
async function requireWebhook(
  trx: OrganizationTransaction,
  id: string,
): Promise<{ id: string; enabled: boolean }> {
  const webhook = await trx
    .selectFrom('webhook')
    .select(['id', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!webhook) throw new Failure('not_found', 'This webhook does not exist.');
  return webhook;
}

/** @throws Failure 409 while the webhook is disabled */
const requireEnabled = ({ enabled }: { enabled: boolean }): void => {
  if (!enabled) throw new Failure('conflict', 'The webhook is disabled. Enable it first.');
};

/** Creates the delivery of a test message, with its job. @throws Failure 404, 409 */
export async function testWebhook(
  trx: OrganizationTransaction,
  caller: Caller,
  webhookId: string,
): Promise<{ deliveryId: string; job: JobRow }> {
  await lockAlerts(trx);
  requireEnabled(await requireWebhook(trx, webhookId));
  const deliveryId = newId();
  const jobId = await newJob(trx, caller, deliveryId);
  const message: WebhookMessage<'webhook.test'> = {
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { webhookId, message: 'This is a test message of Riskboard.' },
  };
  await trx
    .insertInto('webhook_delivery')
    .values({
      organization_id: caller.organizationId,
      id: deliveryId,
      webhook_id: webhookId,
      type: message.type,
      payload: JSON.stringify(message),
      next_attempt_at: now,
      job_id: jobId,
      leased_until: lease,
    })
    .execute();
  return { deliveryId, job: await jobOf(trx, jobId) };
}

/** Delivers again at once; failed attempts are followed by all further ones again. @throws Failure 404, 409 */
export async function retryDelivery(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<{ delivery: WebhookDelivery; job: JobRow }> {
  await lockAlerts(trx);
  const row = await findDelivery(trx, id);
  requireEnabled(row);
  const jobId = await newJob(trx, caller, id);
  await trx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', tries: 0, next_attempt_at: now, job_id: jobId, leased_until: lease })
    .where('id', '=', id)
    .execute();
  return { delivery: present(await findDelivery(trx, id)), job: await jobOf(trx, jobId) };
}
