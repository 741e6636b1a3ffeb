import { useId, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from './form.tsx';
import type { Submission } from './use-submit.ts';

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  /** The action destroys something. */
  danger?: boolean;
  /** Nothing can be sent as long as the form is as it is. */
  disabled?: boolean;
  submission: Submission;
  onSubmit: () => void;
  /** Takes the dialog away; what was typed is forgotten with it. */
  onClose: () => void;
  children: ReactNode;
}

/** A form over the page; stands as long as it is rendered. The focus starts in its first field. */
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
