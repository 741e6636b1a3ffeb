import {
  alertRuleKinds,
  type AlertDigest,
  type AlertRule,
  type AlertRuleKind,
  type WatchedScore,
} from '@riskboard/contract';
import { writtenNumber } from '@riskboard/domain';

/** What the form of a rule shows. Numbers are as the user typed them. */
export interface RuleValues {
  kind: AlertRuleKind;
  name: string;
  score: WatchedScore;
  threshold: string;
  days: string;
  digest: AlertDigest;
  mailTo: readonly string[];
  webhookIds: readonly string[];
}

export const newRule: RuleValues = {
  kind: 'critical-vulnerability',
  name: alertRuleKinds['critical-vulnerability'].label,
  score: 'overall',
  threshold: '70',
  days: '7',
  digest: 'immediately',
  mailTo: [],
  webhookIds: [],
};

export const valuesOf = (rule: AlertRule): RuleValues => ({
  kind: rule.kind,
  name: rule.name,
  score: rule.score ?? newRule.score,
  threshold: rule.threshold === null ? newRule.threshold : String(rule.threshold),
  days: rule.days === null ? newRule.days : String(rule.days),
  digest: rule.digest,
  mailTo: rule.mailTo,
  webhookIds: rule.webhookIds,
});

/** A number as the API gets it: NaN for other text, which the validation refuses. */
const numberOf = (text: string): number => writtenNumber(text) ?? Number.NaN;

/** The fields of a rule that its kind needs, without the kind. */
export function fieldsOf({ kind, name, score, threshold, days, digest, mailTo, webhookIds }: RuleValues) {
  return {
    name,
    digest,
    mailTo: [...mailTo],
    webhookIds: [...webhookIds],
    ...(kind === 'score-above' && { score, threshold: numberOf(threshold) }),
    ...(kind === 'nothing-imported' && { days: numberOf(days) }),
  };
}

/** The fields that a user has changed: those that another user changed meanwhile stay. */
export function changedFields(values: RuleValues, saved: RuleValues): Partial<ReturnType<typeof fieldsOf>> {
  const before: Readonly<Record<string, unknown>> = fieldsOf(saved);
  return Object.fromEntries(
    Object.entries(fieldsOf(values)).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
    ),
  );
}
