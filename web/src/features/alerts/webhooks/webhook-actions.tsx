import { webhooks, type Webhook } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, CirclePlay, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { isMissing } from '../../../lib/api/errors.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { webhooksQuery } from '../queries.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { SendTest } from './send-test.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

interface WebhookActionsProps {
  webhook: Webhook;
  privateAllowed: boolean;
}

/** Test, edit, rotate, disable and delete. */
export function WebhookActions({ webhook, privateAllowed }: WebhookActionsProps) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-3">
      <SendTest webhook={webhook}>
        <Button icon={<Pencil aria-hidden size={16} />} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button icon={<KeyRound aria-hidden size={16} />} onClick={() => setOpen('rotate')}>
          Rotate secret
        </Button>
        <EnableButton webhook={webhook} />
        <Button icon={<Trash2 aria-hidden size={16} />} onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </SendTest>
      {open === 'edit' && <WebhookDialog webhook={webhook} privateAllowed={privateAllowed} onClose={close} />}
      {open === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      <DeleteWebhook webhook={webhook} open={open === 'delete'} onClose={close} />
    </div>
  );
}

function EnableButton({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const enable = !webhook.enabled;

  async function change(): Promise<void> {
    setBusy(true);
    await attempt(() => call(webhooks.update, { params: { id: webhook._id }, body: { enabled: enable } }), {
      done: enable ? 'Webhook enabled' : 'Webhook disabled',
      failure: enable ? 'Failed to enable the webhook' : 'Failed to disable the webhook',
    });
    await queryClient.invalidateQueries({ queryKey: ['alerts'] });
    setBusy(false);
  }

  const Icon = enable ? CirclePlay : Ban;
  return (
    <Button icon={<Icon aria-hidden size={16} />} busy={busy} onClick={() => void change()}>
      {enable ? 'Enable' : 'Disable'}
    </Button>
  );
}

interface DeleteWebhookProps {
  webhook: Webhook;
  open: boolean;
  onClose: () => void;
}

function DeleteWebhook({ webhook, open, onClose }: DeleteWebhookProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  async function remove(): Promise<void> {
    const deleted = await attempt(
      async () => {
        try {
          await call(webhooks.delete, { params: { id: webhook._id } });
        } catch (error) {
          // Another owner has deleted it.
          if (!isMissing(error)) throw error;
        }
      },
      { done: `${nameText(webhook.name)} deleted`, failure: 'Failed to delete the webhook' },
    );
    if (deleted) await navigate({ to: '/dashboard/settings/webhooks' });
    await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Delete ${nameText(webhook.name)}?`}
      description="Its delivery log is deleted too, and rules no longer use it. This cannot be undone."
      confirmLabel="Delete"
      danger
      onConfirm={remove}
    />
  );
}
