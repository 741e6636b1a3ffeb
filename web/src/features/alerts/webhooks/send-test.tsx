import { webhooks, type Webhook } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { DeliveryState } from './delivery-state.tsx';
import { deliveryQuery, deliveriesKey } from './delivery-queries.ts';
import { attemptText } from './delivery-texts.ts';

/** Milliseconds between two looks at a delivery that waits for its first attempt. */
const pollEvery = 1000;

interface SendTestProps {
  webhook: Webhook;
  /** Further buttons. */
  children: ReactNode;
}

/** Sends a test message and shows its result as soon as it is known. */
export function SendTest({ webhook, children }: SendTestProps) {
  const queryClient = useQueryClient();
  const [deliveryId, setDeliveryId] = useState<string>();
  const [sending, setSending] = useState(false);

  async function send(): Promise<void> {
    setSending(true);
    try {
      const { deliveryId: id } = await call(webhooks.test, { params: { id: webhook._id } });
      setDeliveryId(id);
    } catch (error) {
      toast.error('Failed to send the test', messageOf(error, 'Please try again.'));
    }
    await queryClient.invalidateQueries({ queryKey: deliveriesKey });
    setSending(false);
  }

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ButtonWithReason
          variant="primary"
          icon={<Send aria-hidden size={16} />}
          busy={sending}
          disabledReason={webhook.enabled ? undefined : 'Enable the webhook first.'}
          onClick={() => void send()}
        >
          Send test
        </ButtonWithReason>
        {children}
      </div>
      <output aria-label="Result of the test" className="text-sm">
        {deliveryId !== undefined && <TestResult key={deliveryId} deliveryId={deliveryId} />}
      </output>
    </>
  );
}

function TestResult({ deliveryId }: { deliveryId: string }) {
  const { data, error } = useQuery({
    ...deliveryQuery(deliveryId),
    refetchInterval: ({ state: { data: delivery } }) =>
      delivery === undefined || delivery.attempts === 0 ? pollEvery : false,
  });
  if (data === undefined && error !== null)
    return <span className="text-danger">{messageOf(error, 'Failed to load the result.')}</span>;
  if (data === undefined || data.attempts === 0)
    return <span className="text-muted">Sending the test …</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <DeliveryState state={data.state} />
      {attemptText(data)}
    </span>
  );
}
