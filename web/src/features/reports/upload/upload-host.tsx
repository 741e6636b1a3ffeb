import { ChevronUp, X } from 'lucide-react';
import { useStore } from '../../../lib/browser/store.ts';
import { useLeaveGuard } from '../../../lib/hooks/use-leave-guard.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { BatchLink } from './batch-link.tsx';
import { OverwriteQuestion } from './overwrite-question.tsx';
import { PageDrop, type PageDropProps } from './page-drop.tsx';
import { uploadDialog } from './upload-dialog-state.ts';
import { UploadDialog } from './upload-dialog.tsx';
import { connectionText, UploadProgress } from './upload-progress.tsx';
import { uploads as manager, useUploads } from './transfer/upload-store.ts';
import { isOpen, totalsOf } from './transfer/upload.ts';

/** Dialog, overwrite question and dock of the uploads; mounted once, so that uploads continue across pages. */
export function UploadHost(drop: PageDropProps) {
  useLeaveGuard(useUploads().uploads.some(isOpen));
  const dialogOpen = useStore(uploadDialog);

  return (
    <>
      <PageDrop {...drop} />
      <UploadDialog />
      {!dialogOpen && <OverwriteQuestion />}
      <UploadDock />
    </>
  );
}

/** Panel with the progress while the dialog is closed; also shown while failed uploads are in the list. */
function UploadDock() {
  const open = useStore(uploadDialog);
  const { uploads: all, isConnectionLost } = useUploads();
  const totals = totalsOf(all);
  if (open || totals.open + totals.failed === 0) return null;
  const stateText = totals.open > 0 ? 'Uploading reports' : 'Uploads finished';
  return (
    <section
      data-keep-clear=""
      aria-label="Uploads"
      className="fixed bottom-4 left-1/2 z-30 w-80 max-w-[calc(100vw-32px)] -translate-x-1/2 rounded border bg-raised p-3 shadow-raised"
    >
      <header className="mb-2 flex items-center justify-between">
        <h2 className="text-sm font-medium">{isConnectionLost ? connectionText : stateText}</h2>
        <div className="flex">
          <IconButton
            size="sm"
            label="Show uploads"
            icon={<ChevronUp aria-hidden size={14} />}
            onClick={() => uploadDialog.set(true)}
          />
          {totals.open === 0 && (
            <IconButton
              size="sm"
              label="Dismiss uploads"
              icon={<X aria-hidden size={14} />}
              onClick={manager.clearEnded}
            />
          )}
        </div>
      </header>
      <UploadProgress totals={totals} />
      <BatchLink uploads={all} />
    </section>
  );
}
