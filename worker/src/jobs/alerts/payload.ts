import type { WebhookMessage } from '@riskboard/contract';
import { mostMessageSubjects } from '@riskboard/contract/schemas';
import type { NewAlert } from './save-alerts.ts';

interface Message {
  id: string;
  at: Date;
  origin: string;
  alert: NewAlert & { rule: { id: string; name: string } };
}

/** The message of an alert (`webhookMessages`). */
export function alertPayload({ id, at, origin, alert: { kind, draft, rule, findings } }: Message): string {
  const message: WebhookMessage<'alert.created'> = {
    type: 'alert.created',
    timestamp: at.toISOString(),
    data: {
      id,
      kind,
      severity: draft.severity,
      count: draft.count,
      url: `${origin}${draft.link}`,
      rule: { id: rule.id, name: rule.name },
      subjectIds: findings.slice(0, mostMessageSubjects).map(({ subjectId }) => subjectId),
    },
  };
  return JSON.stringify(message);
}
