import { lazy } from 'react';
import type { PasswordDialog as Dialog } from './password-dialog.tsx';

/** The question for the password; it comes when it is asked. `lazy` alone would forget what a generic one takes. */
export const PasswordDialog = lazy(async () => ({
  default: (await import('./password-dialog.tsx')).PasswordDialog,
})) as unknown as typeof Dialog;
