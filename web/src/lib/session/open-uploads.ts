import { createStore } from '../browser/store.ts';

/** Number of files that this tab has still to upload; the end of the session stops them. */
export const openUploads = createStore(0);
