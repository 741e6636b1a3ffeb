import { useEffect } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { useUser } from '../../lib/session/use-user.ts';
import { uploadDialog } from './upload-dialog-state.ts';
import { uploads, useUploads } from './upload-store.ts';
import { isOpen } from './upload.ts';
import { OverwriteQuestion } from './overwrite-question.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { UploadDock } from './upload-dock.tsx';
import { useLeaveGuard } from '../../lib/hooks/use-leave-guard.ts';

/** Dialog, overwrite question and dock of the uploads; once in the app, so that they outlive every page. */
export function UploadHost() {
  useLeaveGuard(useUploads().uploads.some(isOpen));
  const dialogOpen = useStore(uploadDialog);
  const { _id, organizationId } = useUser();

  useEffect(() => uploads.belongTo(`${_id} ${organizationId}`), [_id, organizationId]);

  return (
    <>
      <UploadDialog />
      {!dialogOpen && <OverwriteQuestion />}
      <UploadDock />
    </>
  );
}
