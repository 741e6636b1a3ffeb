import { changedEvent, type OrganizationEvent } from '@riskboard/contract';
import { lockAlerts, withOrganization } from '@riskboard/db';
import { createWebhookVault } from '@riskboard/webhooks';
import { notifyMailSender } from '@riskboard/queue';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { findJob } from '../run/job-row.ts';
import { publishEvents } from '../run/publish.ts';
import { recordAttempt, type RecordedAttempt } from './record-attempt.ts';
import { sendWebhook, type WebhookOutcome } from './send-webhook.ts';
import { signedHeaders } from './sign.ts';

type Context = JobContext<'webhook.deliver'>;

interface Message {
  payload: string;
  url: string;
  webhookId: string;
  /** Of the webhook. */
  version: number;
  /** Encrypted, the current one first. */
  secrets: Buffer[];
  /** When the message was loaded, in seconds of the database's clock: receivers refuse a timestamp of a worker's wrong clock. */
  loadedAt: number;
}

/**
 * The message of a delivery that waits for this job; undefined once another job delivers it, or its webhook or
 * organization receives nothing more. Only the system role may read the encrypted secrets.
 */
async function loadMessage({ deps, organizationId, payload, job }: Context): Promise<Message | undefined> {
  const { rows } = await sql<Message>`
    select d.payload, w.url, w.id as "webhookId", w.version,
      array_remove(array[w.secret, case when w.previous_until > now() then w.previous_secret end], null) as secrets,
      floor(extract(epoch from clock_timestamp()))::float8 as "loadedAt"
    from webhook_delivery d
    join webhook w on w.organization_id = d.organization_id and w.id = d.webhook_id and w.enabled
    join organization o on o.organization_id = d.organization_id and o.deleting_at is null
    where d.organization_id = ${organizationId} and d.id = ${payload.deliveryId} and d.state = 'waiting'
      and d.job_id = ${job.id}`.execute(deps.database.system);
  return rows[0];
}

const notSent = (error: string): WebhookOutcome => ({ statusCode: null, durationMs: 0, error });

/** An attempt that only the operator can help, who sees the log and not the deliveries. */
function notSigned({ deps, organizationId, payload }: Context, error: string): WebhookOutcome {
  deps.log.warn({ organizationId, deliveryId: payload.deliveryId, reason: error }, 'webhook not delivered');
  return notSent(error);
}

async function attempt(
  context: Context,
  { payload: body, url, webhookId, secrets, loadedAt: timestamp }: Message,
): Promise<WebhookOutcome> {
  const { deps, payload, signal } = context;
  const { key, allowPrivate = false } = deps.webhooks ?? {};
  if (key === undefined)
    return notSigned(
      context,
      'The operator has not set WEBHOOK_KEY for the workers, so that the message cannot be signed.',
    );
  const vault = createWebhookVault(key);
  const opened = secrets.map((sealed) => vault.open(sealed, webhookId));
  const usable = opened.filter((secret) => secret !== undefined);
  if (opened[0] === undefined)
    return notSigned(
      context,
      'The secret cannot be decrypted: the workers have another WEBHOOK_KEY than the api, which the operator must correct, or it has changed, and the secret must be rotated.',
    );
  const id = payload.deliveryId;
  return sendWebhook({
    url,
    body,
    allowPrivate,
    signal,
    headers: signedHeaders(usable, { id, timestamp, body }),
  });
}

/**
 * Makes one attempt of a delivery and records it. A worker that dies after the request sends the message again with the
 * same webhook-id, by which receivers recognize it.
 */
export const webhookDeliver: JobHandler<'webhook.deliver'> = async (context) => {
  const { deps, organizationId, payload, job } = context;
  const message = await loadMessage(context);
  if (message) context.progress({ phase: 'sending', done: 0, total: 0 });
  const outcome = message && (await attempt(context, message));
  await context.stopProgress();
  const recorded = await withOrganization(deps.database, organizationId, async (trx) => {
    await lockAlerts(trx);
    const origin = deps.origin ?? '';
    const scope = { organizationId, origin, deliveryId: payload.deliveryId, job, version: message?.version };
    const result = outcome && (await recordAttempt(trx, scope, outcome));
    await context.finish(trx, {
      delivered: result?.state === 'delivered' ? 1 : 0,
      statusCode: outcome?.statusCode ?? null,
      next: result?.next?.toISOString() ?? null,
    });
    return result;
  });
  return afterAttempt(deps, recorded);
};

/** Notifies the sender of mails, after the commit. @returns the events of the attempt */
async function afterAttempt(deps: Deps, recorded: RecordedAttempt | undefined): Promise<OrganizationEvent[]> {
  if (!recorded) return [];
  if (recorded.mails) await notifyMailSender(deps.relay);
  return [changedEvent('alert.changed', { action: 'changed', by: null }, 1)];
}

/** Records a failed attempt for a job that failed before it recorded one, so that the tries of the delivery end. */
export async function recordFailedJob(
  deps: Deps,
  { organizationId, deliveryId, jobId }: { organizationId: string; deliveryId: string; jobId: string },
): Promise<void> {
  const recorded = await withOrganization(deps.database, organizationId, async (trx) => {
    await lockAlerts(trx);
    const job = await findJob(trx, jobId);
    if (job?.state !== 'failed') return undefined;
    const scope = { organizationId, origin: deps.origin ?? '', deliveryId, job, version: undefined };
    return recordAttempt(trx, scope, notSent('The message was not sent because of an internal error.'));
  });
  await publishEvents(deps, organizationId, await afterAttempt(deps, recorded));
}
