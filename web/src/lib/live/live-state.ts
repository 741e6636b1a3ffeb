import { createStore, useStore } from '../browser/store.ts';

/** `live`: the socket is open; `reconnecting`: it is not, data comes by polling; `offline`: nothing comes. */
export type LiveState = 'live' | 'reconnecting' | 'offline';

export const liveState = createStore<LiveState>('reconnecting');

export const useLiveState = (): LiveState => useStore(liveState);
