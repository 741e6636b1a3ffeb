import { lazy, Suspense, useState, type ReactNode } from 'react';

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Such as 'Are you absolutely sure?' */
  title: string;
  description: ReactNode;
  confirmLabel: string;
  /** The action destroys something. */
  danger?: boolean;
  /** Runs on confirmation; the dialog is busy meanwhile and closes when it is over, well or not. */
  onConfirm: () => void | Promise<void>;
  /** More to see before deciding, such as the names of what goes. */
  children?: ReactNode;
}

const AlertDialogPanel = lazy(async () => ({
  default: (await import('./alert-dialog-panel.tsx')).AlertDialogPanel,
}));

/** Asks before something that cannot be undone. Most are never asked: the dialog comes with the first question. */
export function AlertDialog(props: AlertDialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <AlertDialogPanel {...props} />
    </Suspense>
  );
}
