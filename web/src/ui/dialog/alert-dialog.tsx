import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { useRef, useState, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { backdropStyle, dialogStyle } from './dialog-style.ts';

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Such as 'Are you absolutely sure?' */
  title: string;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** The action destroys something. */
  danger?: boolean;
  /** Runs on confirmation; the dialog is busy meanwhile and closes afterwards, whether it succeeded or not. */
  onConfirm: () => void | Promise<void>;
  /** Details, such as the names of the records to delete. */
  children?: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. Focus starts on the cancel button. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  onConfirm,
  children,
}: AlertDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
      onOpenChange(false);
    }
  }

  return (
    <Base.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <Base.Portal>
        {/* Also over a dialog that opened this one. */}
        <Base.Backdrop forceRender className={backdropStyle} />
        <Base.Popup initialFocus={cancel} className={dialogStyle} style={{ width: 440 }}>
          <div className="flex min-h-0 flex-col gap-2 overflow-y-auto px-5 pt-4 pb-5">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            <Base.Description className="text-base text-muted">{description}</Base.Description>
            {children}
          </div>
          <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">
            <Base.Close render={<Button ref={cancel} disabled={busy} />}>{cancelLabel}</Base.Close>
            <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
