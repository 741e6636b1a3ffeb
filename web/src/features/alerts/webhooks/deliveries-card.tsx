import { webhookDeliveries, type WebhookDelivery } from '@riskboard/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { Button } from '../../../ui/button/button.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Select } from '../../../ui/input/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { deliveriesKey, deliveriesQuery } from './delivery-queries.ts';
import { deliveryLabels, DeliveryState } from './delivery-state.tsx';
import { deliveryTitle, durationText } from './delivery-texts.ts';

const deliveryDialog = idlePart(async () => (await import('./delivery-dialog.tsx')).DeliveryDialog, null);

type Filter = WebhookDelivery['state'] | 'all';

const filters = [
  { value: 'all', label: 'All' },
  ...Object.entries(deliveryLabels).map(([value, label]) => ({ value: value as Filter, label })),
] as const;

/** The deliveries to a webhook of the last 30 days, newest first. */
export function DeliveriesCard({ webhookId }: { webhookId: string }) {
  deliveryDialog.useIdleLoad();
  const [filter, setFilter] = useState<Filter>('all');
  const query = useInfiniteQuery(
    deliveriesQuery({ webhookId, state: filter === 'all' ? undefined : filter }),
  );
  const data = query.data?.pages.flatMap(({ deliveries }) => deliveries);
  return (
    <Card
      title="Delivery log"
      actions={<Select size="sm" label="State" items={filters} value={filter} onChange={setFilter} />}
    >
      <PlainTable
        label="Deliveries"
        columns={columns}
        query={{ ...query, data }}
        rowId={(delivery) => delivery._id}
        failure="Failed to load the delivery log."
        empty={
          <EmptyState
            icon={<Send aria-hidden size={20} />}
            title={filter === 'all' ? 'No deliveries yet.' : 'No deliveries found.'}
            description="Deliveries of the last 30 days appear here."
          />
        }
      />
      {query.hasNextPage && (
        <div className="flex justify-center border-t p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

const muted = <span className="text-muted">–</span>;

const columns: readonly PlainColumn<WebhookDelivery>[] = [
  {
    label: 'Message',
    rowHeader: true,
    cell: (delivery) => <Message delivery={delivery} />,
  },
  { label: 'State', width: 128, cell: (delivery) => <StateWithNext delivery={delivery} /> },
  {
    label: 'Attempts',
    from: 'sm',
    width: 88,
    narrowWidth: 80,
    align: 'right',
    cell: ({ attempts }) => attempts,
  },
  { label: 'Status', from: 'sm', width: 72, align: 'right', cell: ({ statusCode }) => statusCode ?? muted },
  {
    label: 'Duration',
    from: 'md',
    width: 88,
    narrowWidth: 80,
    align: 'right',
    cell: ({ durationMs }) => (durationMs === null ? muted : durationText(durationMs)),
  },
  { label: 'Created', from: 'md', width: 128, cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    label: 'Actions',
    hideLabel: true,
    last: true,
    align: 'right',
    width: 64,
    cell: (delivery) => <RetryDelivery delivery={delivery} />,
  },
];

/** What was sent, with the error of the last attempt; opens the details. */
function Message({ delivery }: { delivery: WebhookDelivery }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-w-0 flex-col items-start py-1 whitespace-normal">
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="line-clamp-2 rounded text-left font-medium wrap-anywhere hover:text-accent-text hover:underline"
      >
        {deliveryTitle(delivery)}
      </button>
      {delivery.error !== null && delivery.state !== 'delivered' && (
        <span className="line-clamp-2 text-sm wrap-anywhere text-danger">{delivery.error}</span>
      )}
      {open && <deliveryDialog.Part id={delivery._id} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The state, of a waiting delivery with the time of the next attempt. */
function StateWithNext({ delivery: { state, nextAttemptAt } }: { delivery: WebhookDelivery }) {
  return (
    <div className="flex flex-col items-start gap-0.5 py-1 whitespace-normal">
      <DeliveryState state={state} />
      {nextAttemptAt !== null && (
        <span className="text-xs text-muted">
          Next attempt <Time value={nextAttemptAt} />
        </span>
      )}
    </div>
  );
}

/** Sends a message again that was not delivered. */
function RetryDelivery({ delivery }: { delivery: WebhookDelivery }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  if (delivery.state === 'delivered') return null;

  async function retry(): Promise<void> {
    setBusy(true);
    await attempt(() => call(webhookDeliveries.retry, { params: { id: delivery._id } }), {
      done: 'The message is sent again',
      failure: 'Failed to send the message again',
    });
    await queryClient.invalidateQueries({ queryKey: deliveriesKey });
    setBusy(false);
  }

  return (
    <IconButton
      size="sm"
      label={`Retry ${deliveryTitle(delivery)}`}
      icon={<RotateCcw aria-hidden size={14} />}
      disabled={busy}
      onClick={() => void retry()}
    />
  );
}
