import { etagOf, webhooks, type Reply, type Webhook } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { ApiError } from '../../../lib/api/errors.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Input } from '../../../ui/input/input.tsx';
import { webhooksQuery } from '../queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface WebhookDialogProps {
  /** The webhook to edit; absent: a new one. */
  webhook?: Webhook;
  /** The operator allows http and private addresses. */
  privateAllowed: boolean;
  onClose: () => void;
}

/** Creates a webhook and shows its secret, or changes one. */
export function WebhookDialog({ webhook: newest, privateAllowed, onClose }: WebhookDialogProps) {
  const queryClient = useQueryClient();
  // As it was opened: an event may load the webhook again.
  const [webhook] = useState(newest);
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [version, setVersion] = useState(webhook?.version);
  const [created, setCreated] = useState<Reply<typeof webhooks.create>>();

  async function update(id: string, body: { name?: string; url?: string }): Promise<Webhook> {
    try {
      return await call(webhooks.update, {
        params: { id },
        body,
        ...(version !== undefined && { headers: { 'if-match': etagOf(version) } }),
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      await queryClient.refetchQueries({ queryKey: webhooksQuery.queryKey });
      const current = queryClient
        .getQueryData(webhooksQuery.queryKey)
        ?.webhooks.find(({ _id }) => _id === id);
      if (current === undefined)
        throw new Error('This webhook was deleted by another user.', { cause: error });
      setVersion(current.version);
      throw new Error(
        'Another user changed this webhook meanwhile. Save again to apply your changes to it.',
        { cause: error },
      );
    }
  }

  const submission = useSubmit(
    (schemas) => schemas.webhooks.create.body,
    async (body): Promise<Reply<typeof webhooks.create> | Webhook> => {
      if (webhook === undefined) return call(webhooks.create, { body });
      return update(webhook._id, {
        ...(body.name !== webhook.name && { name: body.name }),
        ...(body.url !== webhook.url && { url: body.url }),
      });
    },
    async (saved) => {
      await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      if ('secret' in saved) {
        setCreated(saved);
        return;
      }
      toast.success('Webhook saved', saved.name);
      onClose();
    },
  );

  if (created !== undefined) return <SecretDialog webhook={created} onClose={onClose} />;
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : 'Edit webhook'}
      submitLabel={webhook === undefined ? 'Create webhook' : 'Save'}
      submission={submission}
      onSubmit={() => submission.submit({ name, url })}
      onClose={onClose}
    >
      <Input
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={100}
        hint="Where the alerts go, e.g. 'Security chat'."
        value={name}
        onChange={setName}
        error={submission.errorAt('name')}
      />
      <Input
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.org/hooks/riskboard"
        hint={
          privateAllowed
            ? 'The operator of this server allows http and private addresses.'
            : 'A public address that starts with https://. Private addresses are refused to protect the network of this server.'
        }
        value={url}
        onChange={setUrl}
        error={submission.errorAt('url')}
      />
    </FormDialog>
  );
}
