import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '../../../../features/alerts/webhooks/webhooks-page.tsx';

export const Route = createFileRoute('/dashboard/settings/webhooks/')({
  staticData: { crumb: 'Webhooks' },
  component: WebhooksPage,
});
