import { createStore } from '../../lib/browser/store.ts';

/** Whether the job drawer is open; the button in the top bar and the landing page open it. */
export const jobDrawer = createStore(false);
