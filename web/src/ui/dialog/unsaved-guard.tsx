import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { LazyAlertDialog, useAlertDialogLoad } from './lazy-alert-dialog.ts';

interface UnsavedGuardProps {
  /** A function is called at the moment of leaving, so that changes saved just before do not block. */
  when: boolean | (() => boolean);
  /** Parameters of the address that start the form over when they change. */
  search?: readonly string[];
}

const parameterOf = ({ search }: { search: object }, name: string): unknown =>
  (search as Readonly<Record<string, unknown>>)[name];

/** Asks for confirmation before unsaved changes are lost. A sign-out is not blocked. */
export function UnsavedGuard({ when, search }: UnsavedGuardProps) {
  const holds = typeof when === 'function' ? when : () => when;
  // Not in the first view of a form, which is near its budget (decision 18).
  useAlertDialogLoad();
  const [wanted, setWanted] = useState(false);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (next.pathname !== current.pathname ||
        search?.some((name) => parameterOf(next, name) !== parameterOf(current, name)) === true) &&
      next.pathname.startsWith('/dashboard') &&
      holds(),
    enableBeforeUnload: holds,
    withResolver: true,
  });
  const blocked = status === 'blocked';
  if (blocked && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <LazyAlertDialog
      open={blocked}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      description="Your changes will be lost."
      danger
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => proceed?.()}
    />
  );
}
