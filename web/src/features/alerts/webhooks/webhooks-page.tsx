import { webhooks, type Webhook } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { organizationName, useUser } from '../../../lib/session/account.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { webhooksQuery } from '../queries.ts';
import { DeliveryState } from './delivery-state.tsx';
import { VerifyCard } from './verify-card.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The webhooks of the organization; for owners. */
export function WebhooksPage() {
  if (useRefusal(webhooks.list.access) !== undefined) return <OwnersOnly />;
  return (
    <>
      <WebhooksCard />
      <VerifyCard />
    </>
  );
}

/** Shown in place of the webhooks to members who may not see their addresses. */
export function OwnersOnly() {
  const user = useUser();
  return (
    <Card title="Webhooks">
      <EmptyState
        icon={<WebhookIcon aria-hidden size={20} />}
        title="Only owners can manage webhooks"
        description={`You are ${roleNoun[user.role]} in ${nameText(organizationName(user))}. An owner can create webhooks that alert rules send to.`}
      />
    </Card>
  );
}

function WebhooksCard() {
  const query = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  return (
    <Card
      title="Webhooks"
      actions={
        <Button variant="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setCreating(true)}>
          New webhook
        </Button>
      }
    >
      <p className="border-b px-4 py-3 text-muted">
        A webhook sends each alert of its rules as a signed HTTPS request to an address of yours.
      </p>
      <PlainTable
        label="Webhooks"
        columns={columns}
        query={{ ...query, data: query.data?.webhooks }}
        rowId={(webhook) => webhook._id}
        failure="Failed to load the webhooks."
        empty={
          <EmptyState
            icon={<WebhookIcon aria-hidden size={20} />}
            title="No webhooks yet."
            description="Create one to send alerts to a chat, a ticket system or your own program."
          />
        }
      />
      {creating && (
        <WebhookDialog
          privateAllowed={query.data?.privateAllowed ?? false}
          onClose={() => setCreating(false)}
        />
      )}
    </Card>
  );
}

const columns: readonly PlainColumn<Webhook>[] = [
  {
    label: 'Webhook',
    rowHeader: true,
    cell: (webhook) => (
      <div className="flex min-w-0 flex-col py-1">
        <Link
          to="/dashboard/settings/webhooks/$webhookId"
          params={{ webhookId: webhook._id }}
          className="truncate rounded font-medium hover:text-accent-text hover:underline"
        >
          {webhook.name}
        </Link>
        <span className="truncate text-sm text-muted">{webhook.url}</span>
      </div>
    ),
  },
  { label: 'State', width: 112, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    label: 'Last delivery',
    from: 'sm',
    width: 208,
    cell: ({ lastDelivery }) =>
      lastDelivery === null ? (
        <span className="text-muted">None</span>
      ) : (
        <span className="flex items-center gap-2">
          <DeliveryState state={lastDelivery.state} /> <Time value={lastDelivery.at} />
        </span>
      ),
  },
  {
    label: 'Rules',
    from: 'md',
    width: 80,
    align: 'right',
    cell: ({ rules }) => rules,
  },
];
