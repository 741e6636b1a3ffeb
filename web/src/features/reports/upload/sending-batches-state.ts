import { createStore } from '../../../lib/browser/store.ts';

/** Batches whose files this tab sends. */
export const sendingBatches = createStore<ReadonlySet<string>>(new Set());
