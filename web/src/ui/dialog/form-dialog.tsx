import { useId, useRef, type ReactNode } from 'react';
import type { Submission } from '../../lib/hooks/use-submit.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from '../form/form.tsx';

interface FormDialogProps {
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
