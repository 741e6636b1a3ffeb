import { createStore } from '../../../lib/browser/store.ts';

/** Whether the one upload dialog is open; the menu, the dock and an empty list open it. */
export const uploadDialog = createStore(false);
