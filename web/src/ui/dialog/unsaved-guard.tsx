import { useBlocker } from '@tanstack/react-router';
import { AlertDialog } from './alert-dialog.tsx';

interface UnsavedGuardProps {
  /** A function is asked at the moment of leaving: what was just saved does not hold anybody back. */
  when: boolean | (() => boolean);
}

/** Asks before what was typed and not saved is left. Who is signed out is not held back. */
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
      description="What you have changed on this page is lost."
      confirmLabel="Leave"
      onConfirm={() => proceed?.()}
    />
  );
}
