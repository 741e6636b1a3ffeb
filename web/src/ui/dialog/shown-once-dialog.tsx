import type { ReactNode } from 'react';
import { useLeaveGuard } from '../../lib/hooks/use-leave-guard.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceDialogProps {
  title: string;
  description: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows a secret that cannot be shown again. It closes only by its button, and leaving the page asks first. */
export function ShownOnceDialog({ title, description, onClose, children }: ShownOnceDialogProps) {
  useLeaveGuard(true);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      closable={false}
      title={title}
      description={description}
      width={600}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Dialog>
  );
}
