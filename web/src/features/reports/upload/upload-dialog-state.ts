import type { Batch } from '@riskboard/contract';
import { createStore } from '../../../lib/browser/store.ts';
import { createOwnedStore } from '../../../lib/session/page-owner.ts';

/** Whether the upload dialog is open. */
export const uploadDialog = createOwnedStore(false);

/** The batch that the open dialog continues; undefined: its files are a new upload. */
export const continuedBatch = createStore<Pick<Batch, '_id' | 'name'> | undefined>(undefined);

// Files that are chosen later may be unrelated.
uploadDialog.subscribe(() => {
  if (!uploadDialog.get()) continuedBatch.set(undefined);
});
