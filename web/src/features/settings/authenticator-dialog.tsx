import { secondFactor, type Reply } from '@riskboard/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { CopyButton } from '../../ui/button/copy-button.tsx';
import { Input } from '../../ui/input/input.tsx';
import { QrCode } from '../../ui/text/qr-code.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useSubmit } from './use-submit.ts';

interface AuthenticatorDialogProps {
  /** What the app must learn. */
  made: Reply<typeof secondFactor.begin>;
  onConfirmed: (recoveryCodes: readonly string[]) => void | Promise<void>;
  onClose: () => void;
}

/** Groups of four are easier to type; authenticator apps take them with or without spaces. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/gu, '$1 ');

/** Makes the secret known to an authenticator app and asks for the first code. */
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
          <p className="text-sm text-muted">No camera at hand? Type this secret instead.</p>
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
        hint="Six digits; a new one comes every 30 seconds. Your other sessions end."
      />
    </FormDialog>
  );
}
