import type { Reply, webhooks } from '@riskboard/contract';
import { nameText } from '../../../lib/format/name-text.ts';
import { ShownOnceDialog } from '../../../ui/dialog/shown-once-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { Time } from '../../../ui/text/time.tsx';

interface SecretDialogProps {
  webhook: Reply<typeof webhooks.create>;
  onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function SecretDialog({ webhook, onClose }: SecretDialogProps) {
  return (
    <ShownOnceDialog
      title={`Secret of ${nameText(webhook.name)}`}
      description="Copy the secret now. It is not shown again."
      onClose={onClose}
    >
      <CodeBlock label="Secret" text={webhook.secret} copyLabel="Copy secret" />
      {webhook.previousSecretUntil !== null && (
        <Notice>
          Messages are also signed with a previous secret until{' '}
          <Time value={webhook.previousSecretUntil} form="absolute" />. Replace the secret in the receiver
          before then.
        </Notice>
      )}
      <p className="text-sm text-muted">
        The receiver needs the secret to verify the signature of each message.
      </p>
    </ShownOnceDialog>
  );
}
