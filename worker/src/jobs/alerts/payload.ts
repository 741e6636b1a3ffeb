import type { NewAlert } from './save-alerts.ts';

/** Subjects whose ids a message names. */
const mostSubjects = 100;

interface Message {
  id: string;
  at: Date;
  origin: string;
  alert: NewAlert & { rule: { id: string; name: string } };
}

/**
 * The message of an alert in the form of Standard Webhooks: type, timestamp and data. It names ids, counts and links;
 * names and texts of vulnerabilities, assets and files stay in Riskboard.
 */
export const alertPayload = ({ id, at, origin, alert: { kind, draft, rule, findings } }: Message): string =>
  JSON.stringify({
    type: 'alert.created',
    timestamp: at.toISOString(),
    data: {
      id,
      kind,
      severity: draft.severity,
      count: draft.count,
      url: `${origin}${draft.link}`,
      rule: { id: rule.id, name: rule.name },
      subjectIds: findings.slice(0, mostSubjects).map(({ subjectId }) => subjectId),
    },
  });
