import {
  alertDigests,
  alertRuleKinds,
  watchedScores,
  type AlertRule,
  type AlertRuleKind,
} from '@riskboard/contract';
import { plural } from '@riskboard/domain';

/** When a rule of a kind creates an alert. */
export const kindDescriptions: Readonly<Record<AlertRuleKind, string>> = {
  'critical-vulnerability':
    'An open vulnerability with a severity of 9 or more is found or becomes that severe.',
  'asset-at-risk': 'The health of an asset becomes Critical, or its risk score reaches 7.',
  'import-failed': 'A report or a CSV file cannot be imported.',
  'score-above': 'A score rises above a value that you choose.',
  'nothing-imported': 'No file was imported for a number of days.',
};

type Condition = Pick<AlertRule, 'kind' | 'score' | 'threshold' | 'days'>;

/** What a rule watches, as in 'Risk score of an asset above 7'. */
export function conditionText({ kind, score, threshold, days }: Condition): string {
  if (kind === 'score-above' && score !== null)
    return `${watchedScores[score].label} above ${threshold ?? 0}`;
  if (kind === 'nothing-imported' && days !== null)
    return `Nothing imported for ${plural(days, 'day', 'days')}`;
  return alertRuleKinds[kind].label;
}

/** Where the alerts of a rule are sent, as in 'Inbox, 2 members by email (daily digest), 1 webhook'. */
export function channelsText({
  mailTo,
  webhookIds,
  digest,
}: Pick<AlertRule, 'mailTo' | 'webhookIds' | 'digest'>): string {
  const when = digest === 'immediately' ? '' : ` (${alertDigests[digest].toLowerCase()})`;
  return [
    'Inbox',
    ...(mailTo.length === 0 ? [] : [`${plural(mailTo.length, 'member', 'members')} by email${when}`]),
    ...(webhookIds.length === 0 ? [] : [plural(webhookIds.length, 'webhook', 'webhooks')]),
  ].join(', ');
}
