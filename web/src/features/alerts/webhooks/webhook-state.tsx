import type { Webhook } from '@riskboard/contract';
import { Ban, CircleCheck, TriangleAlert } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';

/** Why a webhook gets no messages, and what to do. */
export const disabledTexts = new Map<Webhook['disabledReason'], string>([
  ['owner', 'An owner disabled it. It gets no messages until an owner enables it.'],
  ['gone', 'The address replied 410, so Riskboard disabled it. Check the address, then enable it again.'],
  [
    'failing',
    'No delivery succeeded for several days, so Riskboard disabled it. Repair the receiver, then enable it again.',
  ],
]);

/** Whether a webhook gets messages, and whether they arrive. */
export function WebhookState({ webhook: { enabled, failingSince } }: { webhook: Webhook }) {
  if (!enabled)
    return (
      <Badge tone="neutral" icon={<Ban aria-hidden size={12} />}>
        Disabled
      </Badge>
    );
  if (failingSince !== null)
    return (
      <Badge tone="warning" icon={<TriangleAlert aria-hidden size={12} />}>
        Failing
      </Badge>
    );
  return (
    <Badge tone="success" icon={<CircleCheck aria-hidden size={12} />}>
      Enabled
    </Badge>
  );
}
