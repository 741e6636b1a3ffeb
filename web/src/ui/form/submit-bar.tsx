import { useId, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { ActionBar } from '../layout/action-bar.tsx';

interface SubmitBarProps {
  /** Why the form cannot be submitted. */
  reason: string | undefined;
  /** What submitting does; shown without a reason. */
  note?: string;
  busy: boolean;
  submitLabel: string;
  onCancel: () => void;
  /** The bar closes the card of the form. */
  inCard?: boolean;
}

/** The bar of a form: Cancel and the button that submits it, which is disabled with a reason. */
export function SubmitBar({ reason, note, busy, submitLabel, onCancel, inCard }: SubmitBarProps): ReactNode {
  const id = useId();
  const shown = reason ?? note;
  return (
    <ActionBar note={shown} noteId={id} {...(inCard !== undefined && { inCard })}>
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        disabled={reason !== undefined}
        aria-describedby={shown === undefined ? undefined : id}
      >
        {submitLabel}
      </Button>
    </ActionBar>
  );
}
