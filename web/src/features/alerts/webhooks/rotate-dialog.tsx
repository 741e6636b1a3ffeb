import { secretOverlapHours, webhooks, type Reply, type Webhook } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { webhooksQuery } from '../queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

const { least, most, standard } = secretOverlapHours;

/** Replaces the secret of a webhook and shows the new one. */
export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queryClient = useQueryClient();
  const now = useNow();
  const [hours, setHours] = useState(String(standard));
  const [rotated, setRotated] = useState<Reply<typeof webhooks.rotateSecret>>();
  const submission = useSubmit(
    (schemas) => schemas.webhooks.rotateSecret.body,
    (body) => call(webhooks.rotateSecret, { params: { id: webhook._id }, body }),
    async (reply) => {
      setRotated(reply);
      await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
  );
  const { previousSecretUntil: until } = webhook;
  const earlierSigns = until !== null && Date.parse(until) > now;
  if (rotated !== undefined) return <SecretDialog webhook={rotated} onClose={onClose} />;
  return (
    <FormDialog
      title={`Rotate the secret of ${nameText(webhook.name)}?`}
      description={
        earlierSigns ? (
          <>
            The secret from before the last rotation signs until <Time value={until} form="absolute" />, also
            after this rotation. The current secret, which ends in {webhook.secretHint}, is replaced and stops
            signing immediately: a receiver that has only this one refuses messages until it has the new one.
          </>
        ) : (
          'Messages are signed with the old and the new secret during the overlap, so that you can replace the secret in the receiver without losing messages. Afterwards only the new secret signs.'
        )
      }
      submitLabel="Rotate secret"
      submission={submission}
      onSubmit={() => submission.submit({ overlapHours: Number(hours === '' ? Number.NaN : hours) })}
      onClose={onClose}
    >
      <Input
        label="Overlap in hours"
        name="overlapHours"
        inputMode="numeric"
        autoComplete="off"
        value={hours}
        onChange={(text) => setHours(text.replaceAll(/\D/gu, '').slice(0, 3))}
        hint={
          earlierSigns
            ? `${least} to ${most} hours. With 0 the earlier secret stops signing immediately, too, e.g. after a leak; any other number leaves its end as it is.`
            : `${least} to ${most} hours. With 0 the old secret stops signing immediately, e.g. after a leak.`
        }
        error={
          submission.errorAt('overlapHours') === undefined ? undefined : `Enter ${least} to ${most} hours.`
        }
      />
    </FormDialog>
  );
}
