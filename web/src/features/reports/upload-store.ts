import { useSyncExternalStore } from 'react';
import { createStore } from '../../lib/store.ts';
import { toast } from '../../ui/toast.ts';
import { findExisting } from './find-existing.ts';
import { sendReport } from './send-report.ts';
import { createUploadManager, type UploadsState } from './upload-manager.ts';
import { noticeOf } from './upload-summary.ts';

/** Refreshes file lists wherever they are shown (spec 4). */
export const uploadedEvent = 'stix:uploaded';

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

/** Whether the one upload dialog is open; the menu, the dock and an empty list open it. */
export const uploadDialog = createStore(false);
