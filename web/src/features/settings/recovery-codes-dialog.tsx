import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveAs } from '../../lib/browser/save-as.ts';
import { useLeaveGuard } from '../../lib/hooks/use-leave-guard.ts';
import { useUser } from '../../lib/session/use-user.ts';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/input/checkbox.tsx';
import { CopyButton } from '../../ui/button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Recovery codes, shown this once: nobody leaves before saying that they are stored. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { email } = useUser();
  const [stored, setStored] = useState(false);
  useLeaveGuard(true);
  const text = codes.join('\n');

  function download() {
    const file = `Riskboard recovery codes of ${email}\nEach works once.\n\n${text}\n`;
    saveAs('riskboard-recovery-codes.txt', new Blob([file], { type: 'text/plain' }));
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      closable={false}
      title="Store your recovery codes"
      description="Each of them signs you in once when your authenticator app is not at hand. They are not shown again."
      footer={
        <Button
          variant="primary"
          onClick={onClose}
          disabledReason={stored ? undefined : 'Store the codes first and say so above.'}
        >
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ul
          aria-label="Recovery codes"
          className="grid gap-x-6 gap-y-1 rounded border bg-sunken px-4 py-3 font-mono text-base sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code} className="select-all">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} label="Copy codes" />
          <Button icon={<Download aria-hidden size={14} />} onClick={download}>
            Download as text
          </Button>
        </div>
        <Checkbox label="I have stored them in a safe place" checked={stored} onChange={setStored} />
      </div>
    </Dialog>
  );
}
