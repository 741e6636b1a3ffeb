import { useState, type ReactNode } from 'react';
import { PasswordField } from '../../ui/input/password-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useSubmit } from './use-submit.ts';

interface PasswordDialogProps<R> {
  title: string;
  description: ReactNode;
  submitLabel: string;
  danger?: boolean;
  send: (password: string) => Promise<R>;
  onDone: (reply: R) => void | Promise<void>;
  onClose: () => void;
  /** More to see before deciding. */
  children?: ReactNode;
}

/** Asks for the password before something that a stranger at an open screen must not do. */
export function PasswordDialog<R>({ send, onDone, children, ...dialog }: PasswordDialogProps<R>) {
  const [password, setPassword] = useState('');
  const submission = useSubmit(
    (schemas) => schemas.PasswordBody,
    (body) => send(body.password),
    onDone,
  );
  return (
    <FormDialog {...dialog} submission={submission} onSubmit={() => submission.submit({ password })}>
      {children}
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={submission.errorAt('password')}
      />
    </FormDialog>
  );
}
