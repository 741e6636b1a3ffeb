import { createStore } from '../browser/store.ts';

/** Whether the job drawer is open. The top bar, the dashboard and the toasts of started jobs open it. */
export const jobDrawer = createStore(false);
