import { newId, type OrganizationTransaction, readOverallScore } from '@riskboard/db';
import type { RuleFindings, WatchingRule } from './rule-findings.ts';

/** A rule whose threshold the overall score crossed since the last evaluation, in either direction. */
export interface Crossing {
  rule: WatchingRule;
  score: number;
  above: boolean;
}

/**
 * Reads only. A rule notes its side of the threshold when it is created; one from before that in its first evaluation,
 * which is a crossing too.
 */
export async function overallCrossings(
  trx: OrganizationTransaction,
  rules: readonly WatchingRule[],
): Promise<Crossing[]> {
  const watching = rules.filter(({ kind, score }) => kind === 'score-above' && score === 'overall');
  if (watching.length === 0) return [];
  const score = await readOverallScore(trx);
  return watching
    .map((rule) => ({ rule, score, above: score > (rule.threshold ?? Infinity) }))
    .filter(({ rule, above }) => rule.wasAbove !== above);
}

/** Notes the crossings. @returns those upwards; a rule that starts above its threshold alerts at the next crossing */
export async function noteCrossings(
  trx: OrganizationTransaction,
  crossings: readonly Crossing[],
): Promise<RuleFindings[]> {
  const found: RuleFindings[] = [];
  for (const { rule, score, above } of crossings) {
    await trx.updateTable('alert_rule').set({ was_above: above }).where('id', '=', rule.id).execute();
    if (!above || rule.wasAbove === null) continue;
    const finding = { subjectId: rule.id, name: '', detail: `It is ${score} now.`, occurrence: newId() };
    found.push({ rule, further: 0, findings: [finding] });
  }
  return found;
}
