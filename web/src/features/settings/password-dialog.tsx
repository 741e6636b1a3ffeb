import { useState, type ReactNode } from 'react';
import { useSubmit } from '../../lib/hooks/use-submit.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { CodeField } from './code-field.tsx';
import { OwnPasswordField } from './own-password-field.tsx';

interface PasswordDialogProps<R> {
  title: string;
  description: ReactNode;
  submitLabel: string;
  danger?: boolean;
  /** Also asks for a code of the user's second factor. */
  needsCode?: boolean;
  send: (password: string, code: string | undefined) => Promise<R>;
  onDone: (reply: R) => void | Promise<void>;
  onClose: () => void;
  /** Shown above the password. */
  children?: ReactNode;
}

/** Asks for the password before an action that someone at an unlocked screen must not be able to take. */
export function PasswordDialog<R>({
  needsCode = false,
  send,
  onDone,
  children,
  ...dialog
}: PasswordDialogProps<R>) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submission = useSubmit(
    (schemas) => schemas.IdentityBody,
    (body) => send(body.password, body.code),
    onDone,
  );
  return (
    <FormDialog
      {...dialog}
      submission={submission}
      onSubmit={() => submission.submit({ password, ...(needsCode && { code }) })}
    >
      {children}
      <OwnPasswordField value={password} onChange={setPassword} error={submission.errorAt('password')} />
      {needsCode && <CodeField value={code} onChange={setCode} error={submission.errorAt('code')} />}
    </FormDialog>
  );
}
