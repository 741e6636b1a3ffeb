import { formatCount } from '@riskboard/domain';
import { useSyncExternalStore } from 'react';
import { followedWork } from '../../../../lib/jobs/followed-work.ts';
import { isApiReachable } from '../../../../lib/api/reachable.ts';
import { liveState } from '../../../../lib/live/live-state.ts';
import { openUploads } from '../../../../lib/session/open-uploads.ts';
import { onOwnerChange } from '../../../../lib/session/page-owner.ts';
import { toast } from '../../../../ui/feedback/toast.ts';
import { closeBatch, openBatch, receivedFiles } from './batch-calls.ts';
import { endedUploads, interruptedUploads } from './batch-notice.ts';
import { endOfReading, showBatch } from './batch-toast.ts';
import { findExisting } from './existing-reports.ts';
import { sendReport } from './send-report.ts';
import { sendingBatches } from '../sending-batches-state.ts';
import { createUploadManager } from './upload-manager.ts';
import { isOpen, type Upload } from './upload.ts';
import type { UploadsState } from './upload-rows.ts';
import { uploadedEvent } from './uploaded-event.ts';

/** The uploads of this tab, which continue when a page or dialog closes. */
export const uploads = createUploadManager({
  send: sendReport,
  existing: findExisting,
  isReachable: isApiReachable,
  checkFailed: () => toast.error('Upload check failed', 'Failed to check existing files'),
  stored: (reply) => window.dispatchEvent(new CustomEvent(uploadedEvent, { detail: reply })),
  read: ({ jobId }) => endOfReading(jobId),
  openBatch,
  received: receivedFiles,
  closeBatch: (id) => void closeBatch(id),
  settled(batch) {
    followedWork.end(interruptedId);
    announce(batch);
  },
});

// At once: nothing that waits may be sent to the other account or organization.
onOwnerChange(() => {
  const count = uploads.drop();
  if (count > 0)
    toast.error(
      'Uploads stopped',
      `${formatCount(count)} ${count === 1 ? 'file was' : 'files were'} not uploaded, because this tab changed to another organization or account.`,
    );
});

// The checks of a lost connection are up to half a minute apart.
liveState.subscribe(() => {
  if (liveState.get() === 'live') uploads.checkConnection();
});
window.addEventListener('online', () => uploads.checkConnection());

export const useUploads = (): UploadsState => useSyncExternalStore(uploads.subscribe, uploads.get);

/** Shows the pages of batches whether this tab sends their files, and the question before a logout how many. */
uploads.subscribe(() => {
  const open = uploads.get().uploads.filter(isOpen);
  openUploads.set(open.length);
  const ids = new Set(open.flatMap(({ batchId }) => batchId ?? []));
  const before = sendingBatches.get();
  if (ids.size !== before.size || [...ids].some((id) => !before.has(id))) sendingBatches.set(ids);
});

const interruptedId = 'uploads-interrupted';
let batches = 0;

/** Shows the outcome of a batch of uploads; it is shown after a reload of the page too. */
function announce(batch: readonly Upload[]): void {
  const ended = endedUploads(batch);
  if (ended.length === 0) return;
  batches += 1;
  const work = {
    id: `uploads-${batches}-${ended[0]?.stored?.jobId ?? ''}`,
    kind: 'uploads',
    data: ended,
  };
  followedWork.add(work);
  void showBatch(work);
}

// A reload cancels the uploads that are open, after a question; the others of their batch have ended.
window.addEventListener('pagehide', () => {
  const data = interruptedUploads(uploads.get().uploads, uploads.unsettled());
  if (data !== null) followedWork.add({ id: interruptedId, kind: 'interrupted-uploads', data });
});
