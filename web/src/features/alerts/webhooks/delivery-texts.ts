import type { WebhookDelivery } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';

/** A duration as in '240 ms' or '1.5 s'. */
export const durationText = (ms: number): string =>
  ms < 1000 ? `${formatCount(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

type Attempt = Pick<WebhookDelivery, 'statusCode' | 'durationMs' | 'error'>;

/** Result of an attempt, as in 'Status 503 after 240 ms: The receiver replied with an error.' */
export function attemptText({ statusCode, durationMs, error }: Attempt): string {
  const status = statusCode === null ? 'No reply' : `Status ${statusCode}`;
  const after = durationMs === null ? '' : ` after ${durationText(durationMs)}`;
  return `${status}${after}${error === null ? '' : `: ${error}`}`;
}

/** What a delivery is about. */
export const deliveryTitle = ({ type, alert }: Pick<WebhookDelivery, 'type' | 'alert'>): string =>
  type === 'webhook.test' ? 'Test message' : (alert ?? 'Deleted alert');
