import { type AlertRule, mostSingleAlerts } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import type { AlertFinding } from '@riskboard/domain';
import { sql } from 'kysely';
import { subjectTexts } from './subject-texts.ts';

/** An enabled rule that is not deleted. */
export interface WatchingRule {
  id: string;
  name: string;
  kind: AlertRule['kind'];
  score: AlertRule['score'];
  threshold: number | null;
  days: number | null;
  digest: AlertRule['digest'];
  wasAbove: boolean | null;
}

/** What one rule found that no alert has reported yet. */
export interface RuleFindings {
  rule: WatchingRule;
  findings: (AlertFinding & { occurrence: string })[];
  /** Findings that were counted only. */
  further: number;
}

export const watchingRules = async (trx: OrganizationTransaction): Promise<WatchingRule[]> => {
  const { rows } = await sql<WatchingRule>`
    select id, name, kind, score, threshold, days, digest, was_above as "wasAbove" from alert_rule
    where organization_id = current_organization() and enabled and deleted_at is null order by id`.execute(
    trx,
  );
  return rows;
};

/** A rule that created this many alerts in these minutes waits for the end of the time: what it finds meanwhile is one alert. */
const flood = { alerts: mostSingleAlerts, minutes: 10 } as const;

const flooding = sql`
  select rule_id from alert
  where organization_id = current_organization() and created_at > now() - make_interval(mins => ${flood.minutes})
    and rule_id is not null
  group by rule_id having count(*) >= ${flood.alerts}`;

/** Rules whose changes stay noted: a deleted rule may be restored. */
const waiting = sql`
  ${flooding} union all
  select id from alert_rule where organization_id = current_organization() and deleted_at is not null`;

/** Whether a rule may report a change that was noted. */
export async function hasChanges(trx: OrganizationTransaction): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select exists (
      select from alert_change where organization_id = current_organization() and rule_id not in (${waiting})
    ) as changed`.execute(trx);
  return rows[0]?.changed ?? false;
}

interface Consumed {
  rule_id: string;
  further: number;
  subjects: { subject_id: string; occurrence: string }[];
}

/**
 * Consumes the changes that the triggers noted, under the lock of the alerts: the transaction that deletes them creates
 * their alerts. Several changes of one subject are one finding; a subject whose occurrence has a finding is left out.
 */
export async function consumeChanges(
  trx: OrganizationTransaction,
  rules: readonly WatchingRule[],
): Promise<RuleFindings[]> {
  // As many subjects of a rule as one statement may note: the others are counted, so that the memory is bounded.
  const { rows } = await sql<Consumed>`
    with consumed as (
      delete from alert_change where organization_id = current_organization() and rule_id not in (${waiting})
      returning id, rule_id, coalesce(subject_ids, array_remove(array[subject_id], null)) as subject_ids, count, created
    ), occurrences as (
      select distinct on (rule_id, subject_id) rule_id, subject_id,
        case when created then 'created' else 'change ' || id end as occurrence
      from consumed cross join unnest(subject_ids) as subject_id order by rule_id, subject_id, id desc
    ), unreported as (
      select rule_id, subject_id, occurrence, row_number() over (partition by rule_id order by subject_id) as n
      from occurrences o where not exists (
        select from alert_finding f
        where f.organization_id = current_organization() and f.rule_id = o.rule_id and f.subject_id = o.subject_id
          and f.occurrence = o.occurrence)
    )
    select rule_id, sum(further)::integer as further,
      coalesce(jsonb_agg(subject) filter (where subject is not null), '[]') as subjects
    from (
      select rule_id, count - cardinality(subject_ids) as further, null::jsonb as subject from consumed
      union all
      select rule_id, 1, null from unreported where n > alert_subjects()
      union all
      select rule_id, 0, jsonb_build_object('subject_id', subject_id, 'occurrence', occurrence)
      from unreported where n <= alert_subjects()
    ) found
    group by rule_id`.execute(trx);
  const consumed = new Map(rows.map((row) => [row.rule_id, row]));
  const found: RuleFindings[] = [];
  for (const rule of rules) {
    const own = consumed.get(rule.id);
    if (!own) continue;
    const occurrences = new Map(own.subjects.map((subject) => [subject.subject_id, subject.occurrence]));
    const texts = await subjectTexts(trx, rule, [...occurrences.keys()]);
    found.push({
      rule,
      further: own.further,
      findings: texts.map((text) => ({ ...text, occurrence: occurrences.get(text.subjectId) ?? '' })),
    });
  }
  return found;
}

/** Whether an alert of the rule reported this occurrence. */
async function isReported(
  trx: OrganizationTransaction,
  ruleId: string,
  { id, since }: Silence,
): Promise<boolean> {
  const finding = await trx
    .selectFrom('alert_finding')
    .select('alert_id')
    .where('rule_id', '=', ruleId)
    .where('subject_id', '=', id)
    .where('occurrence', '=', since)
    .executeTakeFirst();
  return finding !== undefined;
}

interface Silence {
  /** Of the organization. */
  id: string;
  /** Occurrence: when the last import ended. */
  since: string;
  imported: Date | null;
  days: number;
}

/**
 * Rules whose organization imported nothing for their days, as far as no alert has reported this silence. A silence
 * starts with the last import, or with the organization.
 */
export async function silentRules(
  trx: OrganizationTransaction,
  rules: readonly WatchingRule[],
): Promise<RuleFindings[]> {
  const waiting = rules.filter(({ kind }) => kind === 'nothing-imported');
  if (waiting.length === 0) return [];
  const { rows } = await sql<Silence>`
    select organization_id as id, coalesce(last_import_at, created_at)::text as since, last_import_at as imported,
      extract(epoch from now() - coalesce(last_import_at, created_at)) / 86400 as days
    from organization where organization_id = current_organization()`.execute(trx);
  const [silence] = rows;
  if (!silence) return [];
  const found: RuleFindings[] = [];
  for (const rule of waiting) {
    if (silence.days < (rule.days ?? Infinity)) continue;
    if (await isReported(trx, rule.id, silence)) continue;
    const day = silence.imported?.toISOString().slice(0, 10);
    const detail = day === undefined ? 'Nothing was imported yet.' : `The last import was on ${day} (UTC).`;
    found.push({
      rule,
      further: 0,
      findings: [{ subjectId: silence.id, name: '', detail, occurrence: silence.since }],
    });
  }
  return found;
}
