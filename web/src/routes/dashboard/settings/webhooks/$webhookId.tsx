import { createFileRoute } from '@tanstack/react-router';
import { WebhookPage } from '../../../../features/alerts/webhooks/webhook-page.tsx';

export const Route = createFileRoute('/dashboard/settings/webhooks/$webhookId')({
  staticData: { crumb: 'Webhook', section: { label: 'Webhooks', to: '/dashboard/settings/webhooks' } },
  component: Webhook,
});

function Webhook() {
  return <WebhookPage id={Route.useParams().webhookId} />;
}
