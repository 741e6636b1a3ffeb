import { createStore } from '../../../lib/browser/store.ts';

/** Whether the upload dialog is open. */
export const uploadDialog = createStore(false);
