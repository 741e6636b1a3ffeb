import { reports, tokens, type Reply } from '@riskboard/contract';
import { useLeaveGuard } from '../../lib/hooks/use-leave-guard.ts';
import { Button } from '../../ui/button/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface TokenMadeDialogProps {
  token: Reply<typeof tokens.create>;
  onClose: () => void;
}

/** A fresh API token, shown this once, and how it is used. */
export function TokenMadeDialog({ token, onClose }: TokenMadeDialogProps) {
  useLeaveGuard(true);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      closable={false}
      title={`Token for ${token.name}`}
      description="Copy it now: it is not shown again."
      width={600}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock label="Token" text={token.token} copyLabel="Copy token" />
        <CodeBlock
          label="Try it"
          text={`curl -H 'Authorization: Bearer ${token.token}' ${location.origin}${reports.overview.path}`}
          copyLabel="Copy command"
        />
      </div>
    </Dialog>
  );
}
