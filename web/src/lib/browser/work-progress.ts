import { createStore } from './store.ts';

/** Part of the background jobs that has ended, 0 to 1, for the window title and its icon; null while no job is active. */
export const workProgress = createStore<number | null>(null);
