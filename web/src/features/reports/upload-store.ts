import { useSyncExternalStore } from 'react';
import { toast } from '../../ui/feedback/toast.ts';
import { findExisting } from './find-existing.ts';
import { sendReport } from './send-report.ts';
import { createUploadManager, type UploadsState } from './upload-manager.ts';
import { uploadedEvent } from './uploaded-event.ts';
import { noticeOf } from './upload-summary.ts';

/** The uploads of this tab: they outlive every page and dialog. */
export const uploads = createUploadManager({
  send: sendReport,
  existing: findExisting,
  checkFailed: () => toast.error('Upload check failed', 'Failed to check existing files'),
  stored: (reply) => window.dispatchEvent(new CustomEvent(uploadedEvent, { detail: reply })),
  settled(batch) {
    const notice = noticeOf(batch);
    if (notice !== null) toast[notice.tone](notice.title, notice.description);
  },
});

export const useUploads = (): UploadsState => useSyncExternalStore(uploads.subscribe, uploads.get);
