import { secondFactor, type Reply } from '@riskboard/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { saveAs } from '../../../lib/browser/save-as.ts';
import { useLeaveGuard } from '../../../lib/hooks/use-leave-guard.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { useUser } from '../../../lib/session/account.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { CopyButton } from '../../../ui/button/copy-button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { QrCode } from '../../../ui/text/qr-code.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';

interface AuthenticatorDialogProps {
  /** The secret, and the URI that the QR code encodes. */
  made: Reply<typeof secondFactor.begin>;
  onConfirmed: (recoveryCodes: readonly string[]) => void | Promise<void>;
  onClose: () => void;
}

/** In groups of four, which are easier to type; authenticator apps ignore the spaces. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/gu, '$1 ');

/** Shows the secret for the authenticator app and asks for the first code. */
export function AuthenticatorDialog({ made, onConfirmed, onClose }: AuthenticatorDialogProps) {
  const [code, setCode] = useState('');
  const submission = useSubmit(
    (schemas) => schemas.secondFactor.confirm.body,
    (body) => call(secondFactor.confirm, { body }),
    ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  );
  return (
    <FormDialog
      title="Add Riskboard to your authenticator app"
      description="Scan the code with an app such as Aegis, 2FAS, Google Authenticator or a password manager."
      submitLabel="Turn on"
      submission={submission}
      onSubmit={() => submission.submit({ code: code.replaceAll(/\s/gu, '') })}
      onClose={onClose}
    >
      <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
        <QrCode text={made.uri} label="QR code for your authenticator app" />
        <div className="flex min-w-0 flex-col items-start gap-2">
          <p className="text-sm text-muted">Unable to scan? Enter this secret instead.</p>
          <code className="font-mono text-base break-words select-all">{grouped(made.secret)}</code>
          <CopyButton text={made.secret} label="Copy secret" size="sm" />
        </div>
      </div>
      <Input
        label="Code from the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={12}
        value={code}
        onChange={setCode}
        error={submission.errorAt('code')}
        hint="Six digits. The code changes every 30 seconds. Your other sessions will be logged out."
      />
    </FormDialog>
  );
}

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows new recovery codes, once. The dialog closes only after the user confirms that the codes are stored. */
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
      description="Each code works once. Use one when you can't use your authenticator app. The codes are not shown again."
      footer={
        <ButtonWithReason
          variant="primary"
          onClick={onClose}
          disabledReason={stored ? undefined : 'Confirm above that you have stored the codes.'}
        >
          Done
        </ButtonWithReason>
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
        <Checkbox label="I have stored these codes safely" checked={stored} onChange={setStored} />
      </div>
    </Dialog>
  );
}
