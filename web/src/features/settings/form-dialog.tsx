import { useId, useRef, useState, type ReactNode } from 'react';
import { useSubmit, type Submission } from '../../lib/hooks/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { CodeField } from './code-field.tsx';
import { OwnPasswordField } from './own-password-field.tsx';

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  /** The action destroys something. */
  danger?: boolean;
  /** The form cannot be submitted in its current state. */
  disabled?: boolean;
  submission: Submission;
  onSubmit: () => void;
  /** Unmounts the dialog, which discards its input. */
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog that is open while it is rendered. The focus starts in the first field. */
export function FormDialog({
  title,
  description,
  submitLabel,
  danger = false,
  disabled = false,
  submission,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { busy } = submission;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={title}
      description={description}
      initialFocus={() => form.current?.querySelector<HTMLElement>('input:not([hidden])') ?? null}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={id} element={form} submission={submission} onSubmit={() => !disabled && onSubmit()}>
        {children}
      </Form>
    </Dialog>
  );
}

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
