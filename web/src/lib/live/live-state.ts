import { createStore, useStore } from '../browser/store.ts';

/** `live`: the socket is open; `reconnecting`: it is closed and jobs are polled; `offline`: no connection. */
export type LiveState = 'live' | 'reconnecting' | 'offline';

export const liveState = createStore<LiveState>('reconnecting');

export const useLiveState = (): LiveState => useStore(liveState);
