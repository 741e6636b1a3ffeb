import { webhooks, type Webhook } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNamedPage } from '../../../lib/browser/page-name.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { linkStyle, loneLinkStyle } from '../../../ui/button/link-style.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { webhooksQuery } from '../queries.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { disabledTexts, WebhookState } from './webhook-state.tsx';
import { OwnersOnly } from './webhooks-page.tsx';

/** One webhook with its actions and its delivery log; for owners. */
export function WebhookPage({ id }: { id: string }) {
  if (useRefusal(webhooks.list.access) !== undefined) return <OwnersOnly />;
  return <OwnedWebhook key={id} id={id} />;
}

function OwnedWebhook({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(webhooksQuery);
  const webhook = data?.webhooks.find(({ _id }) => _id === id);
  useNamedPage(webhook?.name);
  if (data === undefined && error !== null)
    return (
      <Card title="Webhook">
        <ErrorState title="Failed to load the webhook." error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (data === undefined)
    return (
      <Card title="Webhook">
        <output aria-label="Loading" className="flex flex-col gap-2 p-4">
          <Skeleton width="40%" />
          <Skeleton width="60%" />
        </output>
      </Card>
    );
  if (webhook === undefined)
    return (
      <Card title="Webhook">
        <EmptyState
          icon={<WebhookIcon aria-hidden size={20} />}
          title="This webhook does not exist."
          description="An owner may have deleted it."
          action={
            <Link to="/dashboard/settings/webhooks" className={linkStyle}>
              Show all webhooks
            </Link>
          }
        />
      </Card>
    );
  return (
    <>
      <WebhookCard webhook={webhook} privateAllowed={data.privateAllowed} />
      <DeliveriesCard webhookId={id} />
    </>
  );
}

interface WebhookCardProps {
  webhook: Webhook;
  privateAllowed: boolean;
}

function WebhookCard({ webhook, privateAllowed }: WebhookCardProps) {
  return (
    <Card
      label={webhook.name}
      title={
        <>
          <span className="wrap-anywhere">{webhook.name}</span> <WebhookState webhook={webhook} />
        </>
      }
      actions={
        <Link to="/dashboard/settings/webhooks" className={loneLinkStyle}>
          All webhooks
        </Link>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        {webhook.disabledReason !== null && (
          <Notice tone="warning">{disabledTexts.get(webhook.disabledReason)}</Notice>
        )}
        {webhook.enabled && webhook.failingSince !== null && (
          <Notice tone="warning">
            Deliveries are failing. First failure: <Time value={webhook.failingSince} />. The log below shows
            why.
          </Notice>
        )}
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          <Fact label="Address">
            <code className="font-mono text-sm break-all">{webhook.url}</code>
          </Fact>
          <Fact label="Secret">
            <span className="sr-only">ends in </span>
            <code className="font-mono text-sm">…{webhook.secretHint}</code>
            {webhook.previousSecretUntil !== null && (
              <span className="text-sm text-muted">
                {' '}
                (a former secret also signs until <Time value={webhook.previousSecretUntil} form="absolute" />
                )
              </span>
            )}
          </Fact>
          <Fact label="Used by">
            <Link to="/dashboard/settings/alerts" className={linkStyle}>
              {plural(webhook.rules, 'rule', 'rules')}
            </Link>
          </Fact>
          <Fact label="Created">
            <Time value={webhook.createdAt} form="day" />
            {webhook.createdBy !== '' && ` by ${webhook.createdBy}`}
          </Fact>
        </dl>
        <WebhookActions webhook={webhook} privateAllowed={privateAllowed} />
      </div>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
