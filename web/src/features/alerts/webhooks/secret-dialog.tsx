import type { Reply, webhooks } from '@riskboard/contract';
import { useLeaveGuard } from '../../../lib/hooks/use-leave-guard.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { Time } from '../../../ui/text/time.tsx';

interface SecretDialogProps {
  webhook: Reply<typeof webhooks.create>;
  onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function SecretDialog({ webhook, onClose }: SecretDialogProps) {
  useLeaveGuard(true);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      closable={false}
      title={`Secret of ${webhook.name}`}
      description="Copy the secret now. It is not shown again."
      width={600}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock label="Secret" text={webhook.secret} copyLabel="Copy secret" />
        {webhook.previousSecretUntil !== null && (
          <Notice>
            Messages are signed with both secrets until{' '}
            <Time value={webhook.previousSecretUntil} form="absolute" />. Replace the secret in the receiver
            before then.
          </Notice>
        )}
        <p className="text-sm text-muted">
          The receiver needs the secret to verify the signature of each message.
        </p>
      </div>
    </Dialog>
  );
}
