import { createOwnedStore } from '../../../lib/session/page-owner.ts';

/** Whether the upload dialog is open. */
export const uploadDialog = createOwnedStore(false);
