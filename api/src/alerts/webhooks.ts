import { type Call, mostWebhooks, type Reply, type Webhook } from '@riskboard/contract';
import type { webhooks } from '@riskboard/contract/schemas';
import { type Database, lockAlerts, newId, type OrganizationTransaction } from '@riskboard/db';
import { createWebhookVault, newWebhookSecret, secretHint, webhookUrlProblem } from '@riskboard/webhooks';
import { changesOf, formatCount } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ApiConfig } from '../deps.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import type { Caller } from '../lib/security/caller.ts';

interface Row {
  id: string;
  name: string;
  url: string;
  enabled: boolean;
  disabled_reason: Webhook['disabledReason'];
  disabled_at: Date | null;
  key_hint: string;
  previous_until: Date | null;
  failing_since: Date | null;
  last: {
    state: NonNullable<Webhook['lastDelivery']>['state'];
    at: string;
    status_code: number | null;
  } | null;
  rules: number;
  created_at: Date;
  creator: string;
  changer: string;
  version: number;
}

async function selectWebhooks(trx: OrganizationTransaction, id?: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select w.id, w.name, w.url, w.enabled, w.disabled_reason, w.disabled_at, w.key_hint,
      case when w.previous_until > now() then w.previous_until end as previous_until, w.failing_since, w.created_at,
      w.version,
      coalesce((select trim(first_name || ' ' || last_name) from account where id = w.created_by), '') as creator,
      coalesce((select trim(first_name || ' ' || last_name) from account where id = w.changed_by), '') as changer,
      (select count(*)::int from alert_rule_webhook used
        join alert_rule r on r.organization_id = used.organization_id and r.id = used.rule_id and r.deleted_at is null
        where used.organization_id = w.organization_id and used.webhook_id = w.id) as rules,
      (select jsonb_build_object('state', d.state, 'status_code', d.status_code, 'at',
          coalesce(d.last_attempt_at, d.created_at))
        from webhook_delivery d where d.organization_id = w.organization_id and d.webhook_id = w.id
        order by d.id desc limit 1) as last
    from webhook w
    where w.organization_id = current_organization() and ${id === undefined ? sql`true` : sql`w.id = ${id}`}
    order by lower(w.name), w.id`.execute(trx);
  return rows;
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const present = (row: Row): Webhook => ({
  _id: row.id,
  name: row.name,
  url: row.url,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  disabledAt: iso(row.disabled_at),
  secretHint: row.key_hint,
  previousSecretUntil: iso(row.previous_until),
  failingSince: iso(row.failing_since),
  lastDelivery: row.last && {
    state: row.last.state,
    at: new Date(row.last.at).toISOString(),
    statusCode: row.last.status_code,
  },
  rules: row.rules,
  createdAt: row.created_at.toISOString(),
  createdBy: row.creator,
  version: row.version,
});

/** @throws Failure 404 */
async function findWebhook(trx: OrganizationTransaction, id: string): Promise<Row> {
  const [row] = await selectWebhooks(trx, id);
  if (!row) throw new Failure('not_found', 'This webhook does not exist.');
  return row;
}

type WebhookSettings = Pick<ApiConfig, 'webhookKey' | 'webhooksMayBePrivate'>;

export async function listWebhooks(
  trx: OrganizationTransaction,
  { webhooksMayBePrivate = false }: WebhookSettings,
): Promise<Reply<typeof webhooks.list>> {
  const rows = await selectWebhooks(trx);
  return { webhooks: rows.map(present), total: rows.length, privateAllowed: webhooksMayBePrivate };
}

/** @throws Failure 503 when the operator has set no key */
function vaultOf({ webhookKey }: WebhookSettings) {
  if (webhookKey === undefined)
    throw new Failure(
      'unavailable',
      'Webhooks are not available: the operator of this Riskboard has not set WEBHOOK_KEY.',
    );
  return createWebhookVault(webhookKey);
}

/** @throws Failure 422 */
function requireUrl(url: string, { webhooksMayBePrivate = false }: WebhookSettings): void {
  const problem = webhookUrlProblem(url, { allowPrivate: webhooksMayBePrivate });
  if (problem !== undefined) throw invalidField('url', problem);
}

/** @throws Failure 422, 503 */
export async function createWebhook(
  trx: OrganizationTransaction,
  { caller, config }: { caller: Caller; config: WebhookSettings },
  { name, url }: Call<typeof webhooks.create>['body'],
): Promise<Reply<typeof webhooks.create>> {
  const vault = vaultOf(config);
  requireUrl(url, config);
  await lockAlerts(trx);
  const { count } = await trx
    .selectFrom('webhook')
    .select(({ fn }) => fn.count<number>('id').as('count'))
    .executeTakeFirstOrThrow();
  if (count >= mostWebhooks)
    throw invalidField(
      'name',
      `An organization has at most ${formatCount(mostWebhooks)} webhooks. Delete one first.`,
    );
  const id = newId();
  const secret = newWebhookSecret();
  await trx
    .insertInto('webhook')
    .values({
      organization_id: caller.organizationId,
      id,
      name,
      url,
      secret: vault.close(secret, id),
      key_hint: secretHint(secret),
      created_by: caller.accountId,
      changed_by: caller.accountId,
    })
    .execute();
  await recordActivity(trx, caller, { action: 'webhook.created', nounId: id, name });
  return { ...present(await findWebhook(trx, id)), secret };
}

/** Addresses may contain secrets of the receiver: the log says that one changed, not to what. */
const recorded = ['name', 'enabled'] as const;
const hiddenUrl = { from: 'the former address', to: 'another address' } as const;

/** @throws Failure 404, 412, 422 */
export async function updateWebhook(
  trx: OrganizationTransaction,
  { caller, config, request }: { caller: Caller; config: WebhookSettings; request: FastifyRequest },
  { id, change }: { id: string; change: Call<typeof webhooks.update>['body'] },
): Promise<Webhook> {
  if (change.url !== undefined) requireUrl(change.url, config);
  await lockAlerts(trx);
  const row = await findWebhook(trx, id);
  requireVersion(request, { version: row.version, changedBy: row.changer });
  const { name = row.name, url = row.url, enabled = row.enabled } = change;
  const switched = enabled !== row.enabled;
  // Failures of another address, or of before a pause, say nothing about the deliveries from now on.
  const restarted = switched || url !== row.url;
  await trx
    .updateTable('webhook')
    .set((eb) => ({
      name,
      url,
      changed_by: caller.accountId,
      version: eb('version', '+', 1),
      ...(restarted && { failing_since: null }),
      ...(switched && {
        enabled,
        disabled_reason: enabled ? null : 'owner',
        disabled_at: enabled ? null : sql<Date>`now()`,
      }),
    }))
    .where('id', '=', id)
    .execute();
  if (switched && !enabled)
    await trx
      .updateTable('webhook_delivery')
      .set({ state: 'cancelled', next_attempt_at: null, job_id: null, leased_until: null })
      .where('webhook_id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
  const before = present(row);
  const updated = present(await findWebhook(trx, id));
  const changes = { ...changesOf(before, updated, recorded), ...(url === row.url ? {} : { url: hiddenUrl }) };
  if (Object.keys(changes).length > 0)
    await recordActivity(trx, caller, { action: 'webhook.updated', nounId: id, name, detail: { changes } });
  return updated;
}

/** @throws Failure 404, 412 */
export async function deleteWebhook(
  trx: OrganizationTransaction,
  { caller, request }: { caller: Caller; request: FastifyRequest },
  id: string,
): Promise<void> {
  await lockAlerts(trx);
  const { name, version, changer } = await findWebhook(trx, id);
  requireVersion(request, { version, changedBy: changer });
  await trx.deleteFrom('webhook').where('id', '=', id).execute();
  await recordActivity(trx, caller, { action: 'webhook.deleted', nounId: id, name });
}

/**
 * The previous secret of a webhook, encrypted, and when it stops signing. The system role reads it: the role that serves
 * requests cannot.
 */
async function previousSecret({ system }: Database, id: string) {
  const { previous_secret, previous_until } = await system
    .selectFrom('webhook')
    .select(['previous_secret', 'previous_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { previous_secret, previous_until };
}

/**
 * The current secret becomes the previous one, which signs too until the overlap ends. A previous secret that still signs
 * stays with its end, because the receiver may have no other one: then only the current secret is replaced.
 * @throws Failure 404, 412, 503
 */
export async function rotateSecret(
  trx: OrganizationTransaction,
  {
    caller,
    config,
    request,
    database,
  }: { caller: Caller; config: WebhookSettings; request: FastifyRequest; database: Database },
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<Reply<typeof webhooks.rotateSecret>> {
  await lockAlerts(trx);
  const { name, version, changer, previous_until: previousUntil } = await findWebhook(trx, id);
  requireVersion(request, { version, changedBy: changer });
  const vault = vaultOf(config);
  const kept = overlapHours > 0 && previousUntil !== null ? await previousSecret(database, id) : undefined;
  const secret = newWebhookSecret();
  await trx
    .updateTable('webhook')
    .set((eb) => ({
      secret: vault.close(secret, id),
      key_hint: secretHint(secret),
      // The receiver may have refused the former secret.
      failing_since: null,
      previous_until: overlapHours === 0 ? null : sql<Date>`now() + make_interval(hours => ${overlapHours})`,
      changed_by: caller.accountId,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  // In a statement of its own: one that sets the secret makes the current one the previous one.
  if (kept) await trx.updateTable('webhook').set(kept).where('id', '=', id).execute();
  await recordActivity(trx, caller, {
    action: 'webhook.secret-rotated',
    nounId: id,
    name,
    detail: { overlapHours },
  });
  return { ...present(await findWebhook(trx, id)), secret };
}
