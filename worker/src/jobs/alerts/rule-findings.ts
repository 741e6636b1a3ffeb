import type { AlertRule } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import type { AlertFinding } from '@riskboard/domain';
import { sql } from 'kysely';
import { subjectTexts } from './subject-texts.ts';

/** An enabled rule. */
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

/** Changes that one evaluation consumes. */
const changesAtOnce = 20_000;

export const watchingRules = async (trx: OrganizationTransaction): Promise<WatchingRule[]> => {
  const { rows } = await sql<WatchingRule>`
    select id, name, kind, score, threshold, days, digest, was_above as "wasAbove" from alert_rule
    where organization_id = current_organization() and enabled order by id`.execute(trx);
  return rows;
};

interface Change {
  id: number;
  rule_id: string;
  subject_id: string | null;
  count: number;
  created: boolean;
}

/**
 * Consumes the changes that the triggers noted, under the lock of the alerts: the transaction that deletes them creates
 * their alerts. Several changes of one subject are one finding.
 */
export async function consumeChanges(
  trx: OrganizationTransaction,
  rules: readonly WatchingRule[],
): Promise<RuleFindings[]> {
  const { rows: changes } = await sql<Change>`
    delete from alert_change where organization_id = current_organization() and id in (
      select id from alert_change where organization_id = current_organization() order by id limit ${changesAtOnce})
    returning id, rule_id, subject_id, count, created`.execute(trx);
  const found: RuleFindings[] = [];
  for (const rule of rules) {
    const own = changes.filter((change) => change.rule_id === rule.id).toSorted((a, b) => a.id - b.id);
    if (own.length === 0) continue;
    const occurrences = new Map<string, string>();
    let further = 0;
    for (const { id, subject_id: subject, count, created } of own) {
      if (subject === null) further += count;
      else occurrences.set(subject, created ? 'created' : `change ${id}`);
    }
    const unknown = await withoutReported(trx, rule.id, occurrences);
    const texts = await subjectTexts(trx, rule, [...unknown.keys()]);
    found.push({
      rule,
      further,
      findings: texts.map((text) => ({ ...text, occurrence: unknown.get(text.subjectId) ?? '' })),
    });
  }
  return found;
}

/** The occurrences that have no finding yet. */
async function withoutReported(
  trx: OrganizationTransaction,
  ruleId: string,
  occurrences: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ subject_id: string }>`
    select f.subject_id from alert_finding f
    join unnest(${[...occurrences.keys()]}::uuid[], ${[...occurrences.values()]}::text[]) as wanted (subject_id, occurrence)
      using (subject_id, occurrence)
    where f.organization_id = current_organization() and f.rule_id = ${ruleId}`.execute(trx);
  const reported = new Set(rows.map((row) => row.subject_id));
  return new Map([...occurrences].filter(([subject]) => !reported.has(subject)));
}

/** Jobs that import something. */
const importKinds = sql`('stix.parse', 'stix.extract', 'csv.import')`;

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
  const { rows } = await sql<{ id: string; since: string; imported: Date | null; days: number }>`
    select o.organization_id as id, coalesce(last.at, o.created_at)::text as since, last.at as imported,
      extract(epoch from now() - coalesce(last.at, o.created_at)) / 86400 as days
    from organization o left join lateral (
      select finished_at as at from job
      where job.organization_id = o.organization_id and job.kind in ${importKinds} and job.state = 'succeeded'
      order by created_at desc limit 1
    ) last on true
    where o.organization_id = current_organization()`.execute(trx);
  const [silence] = rows;
  if (!silence) return [];
  const found: RuleFindings[] = [];
  for (const rule of waiting) {
    if (silence.days < (rule.days ?? Infinity)) continue;
    const occurrences = new Map([[silence.id, silence.since]]);
    if ((await withoutReported(trx, rule.id, occurrences)).size === 0) continue;
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
