import {
  alertRuleKinds,
  type AlertRule,
  type AlertRuleKind,
  type Call,
  mostAlertRules,
  type Reply,
  watchedScores,
} from '@riskboard/contract';
import type { alertRules } from '@riskboard/contract/schemas';
import { lockAlerts, newId, type OrganizationTransaction, readOverallScore } from '@riskboard/db';
import { changesOf, formatCount } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import type { Caller } from '../lib/security/caller.ts';

interface Row extends Pick<
  AlertRule,
  'kind' | 'name' | 'enabled' | 'score' | 'threshold' | 'days' | 'digest'
> {
  id: string;
  version: number;
  mail_to: string[];
  webhook_ids: string[];
  last_alert_at: Date | null;
  created_at: Date;
  creator: string;
  changer: string;
}

const personName = (account: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce((select trim(first_name || ' ' || last_name) from account where id = ${account}), '')`;

/** Rules that are not deleted, or those that are and can be restored. */
async function selectRules(
  trx: OrganizationTransaction,
  { id, deleted = false }: { id?: string; deleted?: boolean } = {},
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.id, r.name, r.kind, r.enabled, r.score, r.threshold, r.days, r.digest, r.version, r.last_alert_at,
      r.created_at, ${personName(sql`r.created_by`)} as creator, ${personName(sql`r.changed_by`)} as changer,
      array(select account_id from alert_rule_member m
        where m.organization_id = r.organization_id and m.rule_id = r.id order by 1) as mail_to,
      array(select webhook_id from alert_rule_webhook w
        where w.organization_id = r.organization_id and w.rule_id = r.id order by 1) as webhook_ids
    from alert_rule r
    where r.organization_id = current_organization() and (r.deleted_at is not null) = ${deleted}
      and ${id === undefined ? sql`true` : sql`r.id = ${id}`}
    order by lower(r.name), r.id`.execute(trx);
  return rows;
}

const present = (row: Row): AlertRule => ({
  _id: row.id,
  name: row.name,
  kind: row.kind,
  enabled: row.enabled,
  score: row.score,
  threshold: row.threshold,
  days: row.days,
  digest: row.digest,
  mailTo: row.mail_to,
  webhookIds: row.webhook_ids,
  lastAlertAt: row.last_alert_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.creator,
  version: row.version,
});

/** @throws Failure 404 */
async function findRule(trx: OrganizationTransaction, id: string): Promise<Row> {
  const [row] = await selectRules(trx, { id });
  if (!row) throw new Failure('not_found', 'This rule does not exist.');
  return row;
}

export async function listRules(trx: OrganizationTransaction): Promise<Reply<typeof alertRules.list>> {
  const rules = await selectRules(trx);
  return { rules: rules.map(present), total: rules.length };
}

type Condition = Pick<Row, 'score' | 'threshold' | 'days'>;
const missingTexts = {
  score: 'Choose a score.',
  threshold: 'Enter a value.',
  days: 'Enter a number of days.',
} as const satisfies Record<keyof Condition, string>;

/** The condition of a kind, without fields of other kinds. @throws Failure 422 */
function conditionOf(
  kind: AlertRuleKind,
  given: { [F in keyof Condition]?: Condition[F] | undefined },
): Condition {
  const needs: readonly (keyof Condition)[] = alertRuleKinds[kind].needs;
  for (const field of needs)
    if (given[field] === undefined || given[field] === null) throw invalidField(field, missingTexts[field]);
  const greatest = given.score ? watchedScores[given.score].greatest : Infinity;
  if (needs.includes('threshold') && (given.threshold ?? 0) >= greatest)
    throw invalidField('threshold', `Enter a value below ${greatest}.`);
  const { score = null, threshold = null, days = null } = given;
  return {
    score: needs.includes('score') ? score : null,
    threshold: needs.includes('threshold') ? threshold : null,
    days: needs.includes('days') ? days : null,
  };
}

interface Channels {
  mailTo?: readonly string[] | undefined;
  webhookIds?: readonly string[] | undefined;
}

/** Replaces who a rule notifies; what is absent stays. @throws Failure 422 for unknown members and webhooks */
async function setChannels(
  trx: OrganizationTransaction,
  ruleId: string,
  { mailTo, webhookIds }: Channels,
): Promise<void> {
  if (mailTo) {
    const ids = [...new Set(mailTo)];
    await sql`delete from alert_rule_member where organization_id = current_organization() and rule_id = ${ruleId}`.execute(
      trx,
    );
    const { numAffectedRows = 0n } = await sql`
      insert into alert_rule_member (organization_id, rule_id, account_id)
      select organization_id, ${ruleId}, account_id from membership
      where organization_id = current_organization() and account_id = any (${ids}::uuid[])`.execute(trx);
    if (Number(numAffectedRows) < ids.length)
      throw invalidField('mailTo', 'Choose members of the organization.');
  }
  if (webhookIds) {
    const ids = [...new Set(webhookIds)];
    await sql`delete from alert_rule_webhook where organization_id = current_organization() and rule_id = ${ruleId}`.execute(
      trx,
    );
    const { numAffectedRows = 0n } = await sql`
      insert into alert_rule_webhook (organization_id, rule_id, webhook_id)
      select organization_id, ${ruleId}, id from webhook
      where organization_id = current_organization() and id = any (${ids}::uuid[])`.execute(trx);
    if (Number(numAffectedRows) < ids.length)
      throw invalidField('webhookIds', 'Choose webhooks of the organization.');
  }
}

/**
 * Whether the overall score is above the threshold when a rule begins to watch it: the rule reports the next step
 * upwards. Null for other conditions.
 */
async function sideOf(
  trx: OrganizationTransaction,
  { score, threshold }: Condition,
): Promise<boolean | null> {
  return score === 'overall' && threshold !== null ? (await readOverallScore(trx)) > threshold : null;
}

/** @throws Failure 422 when the organization has as many rules as it may have */
async function requireRoom(trx: OrganizationTransaction): Promise<void> {
  const { rules } = await trx
    .selectFrom('alert_rule')
    .select(({ fn }) => fn.countAll<number>().as('rules'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (rules >= mostAlertRules)
    throw invalidField(
      'name',
      `An organization has at most ${formatCount(mostAlertRules)} rules. Delete one first.`,
    );
}

/** @throws Failure 422 */
export async function createRule(
  trx: OrganizationTransaction,
  caller: Caller,
  body: Call<typeof alertRules.create>['body'],
): Promise<AlertRule> {
  const { kind, name, enabled = true, digest = 'immediately' } = body;
  const condition = conditionOf(kind, body);
  await lockAlerts(trx);
  await requireRoom(trx);
  const id = newId();
  const by = { created_by: caller.accountId, changed_by: caller.accountId };
  await trx
    .insertInto('alert_rule')
    .values({
      organization_id: caller.organizationId,
      id,
      name,
      kind,
      enabled,
      digest,
      ...condition,
      was_above: await sideOf(trx, condition),
      ...by,
    })
    .execute();
  await setChannels(trx, id, body);
  await recordActivity(trx, caller, { action: 'alert-rule.created', nounId: id, name, detail: { kind } });
  return present(await findRule(trx, id));
}

/**
 * Of noted changes that no alert reported yet, those that were counted only met another condition than the rule has now;
 * the others are compared again when they are reported.
 */
async function forgetCounted(trx: OrganizationTransaction, ruleId: string): Promise<void> {
  await sql`
    update alert_change set count = greatest(1, coalesce(cardinality(subject_ids), 1))
    where organization_id = current_organization() and rule_id = ${ruleId}`.execute(trx);
}

const recorded = ['name', 'enabled', 'score', 'threshold', 'days', 'digest', 'mailTo', 'webhookIds'] as const;

/** @throws Failure 404, 412, 422 */
export async function updateRule(
  trx: OrganizationTransaction,
  { caller, request }: { caller: Caller; request: FastifyRequest },
  { id, change }: { id: string; change: Call<typeof alertRules.update>['body'] },
): Promise<AlertRule> {
  await lockAlerts(trx);
  const row = await findRule(trx, id);
  requireVersion(request, { version: row.version, changedBy: row.changer });
  const before = present(row);
  const condition = conditionOf(row.kind, {
    score: change.score ?? row.score,
    threshold: change.threshold ?? row.threshold,
    days: change.days ?? row.days,
  });
  const { name = row.name, enabled = row.enabled, digest = row.digest } = change;
  await setChannels(trx, id, change);
  const isOther = condition.threshold !== row.threshold || condition.score !== row.score;
  const restarted = (enabled && !row.enabled) || isOther;
  const wasAbove = restarted ? await sideOf(trx, condition) : null;
  await trx
    .updateTable('alert_rule')
    .set((eb) => ({
      name,
      enabled,
      digest,
      ...condition,
      ...(restarted ? { was_above: wasAbove } : {}),
      changed_by: caller.accountId,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  if (isOther) await forgetCounted(trx, id);
  const updated = present(await findRule(trx, id));
  const changes = changesOf(before, updated, recorded);
  if (Object.keys(changes).length > 0)
    await recordActivity(trx, caller, {
      action: 'alert-rule.updated',
      nounId: id,
      name,
      detail: { changes },
    });
  return updated;
}

/** The rule is kept for an hour, in which it can be restored. @throws Failure 404, 412 */
export async function deleteRule(
  trx: OrganizationTransaction,
  { caller, request }: { caller: Caller; request: FastifyRequest },
  id: string,
): Promise<void> {
  await lockAlerts(trx);
  const { name, kind, version, changer } = await findRule(trx, id);
  requireVersion(request, { version, changedBy: changer });
  await trx
    .updateTable('alert_rule')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await recordActivity(trx, caller, { action: 'alert-rule.deleted', nounId: id, name, detail: { kind } });
}

/**
 * Restores a deleted rule, which then reports what it noted meanwhile and nothing again that it has reported. A rule that
 * was restored already stays as it is. @throws Failure 404 once it is deleted for good, 422
 */
export async function restoreRule(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<AlertRule> {
  await lockAlerts(trx);
  const [deleted] = await selectRules(trx, { id, deleted: true });
  if (!deleted) return present(await findRule(trx, id));
  await requireRoom(trx);
  await trx.updateTable('alert_rule').set({ deleted_at: null }).where('id', '=', id).execute();
  const { name, kind } = deleted;
  await recordActivity(trx, caller, { action: 'alert-rule.restored', nounId: id, name, detail: { kind } });
  return present(deleted);
}

/** Members and webhooks that a rule can name. Addresses of webhooks may contain secrets and are for owners only. */
export async function listChannels(
  trx: OrganizationTransaction,
  { mail }: { mail: boolean },
): Promise<Reply<typeof alertRules.channels>> {
  const members = await trx
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select(['account.id as _id', 'account.email', 'membership.role'])
    .select(sql<string>`trim(account.first_name || ' ' || account.last_name)`.as('name'))
    .orderBy('name')
    .orderBy('account.id')
    .execute();
  const webhooks = await trx
    .selectFrom('webhook')
    .select(['id as _id', 'name', 'enabled'])
    .orderBy('name')
    .orderBy('id')
    .execute();
  return { mail, members, webhooks };
}
