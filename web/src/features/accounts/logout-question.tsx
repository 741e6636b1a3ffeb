import { plural } from '@riskboard/domain';
import { useEffect } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { openUploads } from '../../lib/session/open-uploads.ts';
import { LazyAlertDialog } from '../../ui/dialog/lazy-alert-dialog.ts';
import { logoutQuestion, useLogout } from './use-session.ts';

/** Asks whether to log out although files are not uploaded yet, as the browser asks before the tab is closed. */
export function LogoutQuestion() {
  const open = useStore(logoutQuestion);
  const count = useStore(openUploads);
  const { mutate } = useLogout();
  const isUploading = count > 0;
  // Before it is shown, because the connection may be lost by then.
  useEffect(() => {
    if (isUploading) void LazyAlertDialog.load().catch(() => undefined);
  }, [isUploading]);
  if (!open) return null;
  return (
    <LazyAlertDialog
      open
      onOpenChange={logoutQuestion.set}
      title="Log out and stop the upload?"
      description={
        count === 0
          ? 'All files are uploaded.'
          : `${plural(count, 'file is', 'files are')} not uploaded yet. Logging out stops the upload.`
      }
      confirmLabel="Log out"
      cancelLabel="Keep uploading"
      danger
      onConfirm={() => mutate()}
    />
  );
}
