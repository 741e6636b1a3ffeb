import { useBlocker } from '@tanstack/react-router';
import { AlertDialog } from './alert-dialog.tsx';

interface UnsavedGuardProps {
  /** A function is called at the moment of leaving, so that changes saved just before do not block. */
  when: boolean | (() => boolean);
}

/** Asks for confirmation before unsaved changes are lost. A sign-out is not blocked. */
export function UnsavedGuard({ when }: UnsavedGuardProps) {
  const holds = typeof when === 'function' ? when : () => when;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      next.pathname !== current.pathname && next.pathname.startsWith('/dashboard') && holds(),
    enableBeforeUnload: holds,
    withResolver: true,
  });
  return (
    <AlertDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      description="Your changes will be lost."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => proceed?.()}
    />
  );
}
