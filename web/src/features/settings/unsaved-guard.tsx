import { useBlocker } from '@tanstack/react-router';
import { AlertDialog } from '../../ui/alert-dialog.tsx';

/** Asks before what was typed and not saved is left. Who is signed out is not held back. */
export function UnsavedGuard({ when }: { when: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      when && next.pathname !== current.pathname && next.pathname.startsWith('/dashboard'),
    enableBeforeUnload: when,
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
