import type { WebhookDelivery } from '@riskboard/contract';
import type { JobRow, OrganizationTransaction } from '@riskboard/db';
import { disabledAfterDays, unsubscribedStatus, nextAttemptAfter } from '@riskboard/domain';
import { sql } from 'kysely';
import { alertIds } from './alert-ids.ts';
import { recordEntries } from '../run/activity-entries.ts';
import { saveAlerts } from './save-alerts.ts';
import type { WebhookOutcome } from './send-webhook.ts';

/** Part of a delay that is added at random, so that the deliveries of a receiver that failed do not return all at once. */
const mostJitter = 0.1;

interface Scope {
  organizationId: string;
  origin: string;
  deliveryId: string;
  job: JobRow;
  /** Of the webhook, when its address and secret were read; undefined when they were not. */
  version: number | undefined;
}

export interface RecordedAttempt {
  state: WebhookDelivery['state'];
  next: Date | null;
  /** The webhook was disabled, and its owners get mails. */
  mails: boolean;
}

interface Waiting {
  webhook_id: string;
  type: WebhookDelivery['type'];
  attempts: number;
  tries: number;
  /** Of the webhook now. */
  version: number;
}

/** The webhook replied that it wants no more messages. */
const isUnsubscribed = ({ statusCode }: WebhookOutcome): boolean => statusCode === unsubscribedStatus;

/** The state after an attempt, and the seconds until the next one. */
function stateAfter({ type, tries }: Waiting, outcome: WebhookOutcome, isCurrent: boolean) {
  if (outcome.error === null) return { state: 'delivered', delay: undefined } as const;
  const isLast = type === 'webhook.test' || (isCurrent && isUnsubscribed(outcome));
  const delay = isLast ? undefined : nextAttemptAfter(tries + 1);
  return delay === undefined ? ({ state: 'failed', delay } as const) : ({ state: 'waiting', delay } as const);
}

/**
 * Records an attempt with its consequences for the delivery and the webhook, under the lock of the alerts. An attempt at
 * a webhook that was changed since, perhaps its address or secret, has none for the webhook.
 * @returns undefined when another job delivers the message by now
 */
export async function recordAttempt(
  trx: OrganizationTransaction,
  scope: Scope,
  outcome: WebhookOutcome,
): Promise<RecordedAttempt | undefined> {
  const { deliveryId, job, version } = scope;
  const { statusCode, durationMs, error } = outcome;
  const waiting = await trx
    .selectFrom('webhook_delivery')
    .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
    .select(['webhook_id', 'type', 'attempts', 'tries', 'webhook.version'])
    .where('webhook_delivery.id', '=', deliveryId)
    .where('job_id', '=', job.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (!waiting) return undefined;
  const isCurrent = version === undefined || version === waiting.version;
  const { state, delay } = stateAfter(waiting, outcome, isCurrent);
  const n = waiting.attempts + 1;
  await trx
    .insertInto('webhook_attempt')
    .values({
      organization_id: scope.organizationId,
      delivery_id: deliveryId,
      n,
      status_code: statusCode,
      duration_ms: durationMs,
      error,
    })
    .execute();
  await trx
    .updateTable('webhook_delivery')
    .set({
      state,
      attempts: n,
      tries: waiting.tries + 1,
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      last_attempt_at: sql<Date>`now()`,
      next_attempt_at:
        delay === undefined
          ? null
          : sql<Date>`now() + make_interval(secs => ${delay} * (1 + ${mostJitter} * random()))`,
      job_id: null,
      leased_until: null,
    })
    .where('id', '=', deliveryId)
    .execute();
  const mails = isCurrent && (await noteOutcome(trx, scope, { waiting, outcome }));
  // A webhook that was disabled now has cancelled this delivery too.
  const recorded = await trx
    .selectFrom('webhook_delivery')
    .select(['state', 'next_attempt_at as next'])
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return { ...recorded, mails };
}

interface Attempt {
  waiting: Waiting;
  outcome: WebhookOutcome;
}

/** @returns whether mails were requested */
async function noteOutcome(trx: OrganizationTransaction, scope: Scope, attempt: Attempt): Promise<boolean> {
  if (attempt.outcome.error !== null) return noteFailure(trx, scope, attempt);
  const id = attempt.waiting.webhook_id;
  await trx.updateTable('webhook').set({ failing_since: null }).where('id', '=', id).execute();
  return false;
}

const unsubscribedText = 'It replied with status 410 (Gone), so that nothing more is sent to it.';
const failingText = `No message was delivered to it for ${disabledAfterDays} days.`;

/** Disables a webhook that unsubscribed or has failed for long. @returns whether mails were requested */
async function noteFailure(
  trx: OrganizationTransaction,
  scope: Scope,
  { waiting, outcome }: Attempt,
): Promise<boolean> {
  const { rows } = await sql<{ name: string; long: boolean; enabled: boolean }>`
    update webhook set failing_since = coalesce(failing_since, now())
    where organization_id = current_organization() and id = ${waiting.webhook_id}
    returning name, enabled, failing_since < now() - make_interval(days => ${disabledAfterDays}) as long`.execute(
    trx,
  );
  const [webhook] = rows;
  const unsubscribed = isUnsubscribed(outcome);
  if (!webhook?.enabled || (!unsubscribed && !webhook.long)) return false;
  const reason = unsubscribed ? 'gone' : 'failing';
  await trx
    .updateTable('webhook')
    .set((eb) => ({
      enabled: false,
      disabled_reason: reason,
      disabled_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', waiting.webhook_id)
    .execute();
  await trx
    .updateTable('webhook_delivery')
    .set({ state: 'cancelled', next_attempt_at: null, job_id: null, leased_until: null })
    .where('webhook_id', '=', waiting.webhook_id)
    .where('state', '=', 'waiting')
    .execute();
  await recordEntries(trx, scope, {
    action: 'webhook.disabled',
    entries: [{ nounId: waiting.webhook_id, name: webhook.name, detail: { reason } }],
  });
  const newId = await alertIds(trx);
  const { mails } = await saveAlerts(trx, scope, [
    {
      id: newId(),
      kind: 'webhook-disabled',
      rule: null,
      findings: [],
      draft: {
        severity: 'high',
        title: `Webhook disabled: ${webhook.name}`,
        description: unsubscribed ? unsubscribedText : failingText,
        count: 1,
        link: '/dashboard/settings/webhooks',
      },
    },
  ]);
  return mails;
}
