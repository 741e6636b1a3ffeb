import { createOwnedStore } from '../session/page-owner.ts';

/** Whether the job drawer is open. The top bar, the dashboard and the toasts of started jobs open it. */
export const jobDrawer = createOwnedStore(false);
