import { idlePart } from '../layout/idle-part.tsx';
import type { AlertDialogProps } from './alert-dialog.tsx';

/** An `AlertDialog` of a page whose first view has none: its code loads after the page. */
export const { Part: LazyAlertDialog, useIdleLoad: useAlertDialogLoad } = idlePart<AlertDialogProps>(
  async () => (await import('./alert-dialog.tsx')).AlertDialog,
  null,
);
