import type { WebhookDelivery } from '@riskboard/contract';
import { Ban, CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';

type State = WebhookDelivery['state'];

export const deliveryLabels: Readonly<Record<State, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const looks = {
  waiting: { tone: 'info', Icon: Clock },
  delivered: { tone: 'success', Icon: CircleCheck },
  failed: { tone: 'danger', Icon: CircleAlert },
  cancelled: { tone: 'neutral', Icon: Ban },
} as const satisfies Record<State, { tone: BadgeTone; Icon: typeof Clock }>;

/** State of a delivery, by icon and text. */
export function DeliveryState({ state }: { state: State }) {
  const { tone, Icon } = looks[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {deliveryLabels[state]}
    </Badge>
  );
}
