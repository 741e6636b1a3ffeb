import { createStore } from '../../lib/browser/store.ts';

/** The open overlay: the palette, the shortcut help, or none. */
export type Overlay = 'palette' | 'help' | 'none';

export const overlay = createStore<Overlay>('none');
