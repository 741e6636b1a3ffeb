import { plural } from '@riskboard/domain';
import { useStore } from '../../lib/browser/store.ts';
import { openUploads } from '../../lib/session/open-uploads.ts';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';
import { logoutQuestion, useLogout } from './use-session.ts';

/** Asks whether to log out although files are not uploaded yet, as the browser asks before the tab is closed. */
export function LogoutQuestion() {
  const open = useStore(logoutQuestion);
  const count = useStore(openUploads);
  const { mutate } = useLogout();
  return (
    <AlertDialog
      open={open}
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
