import { createStore } from '../../lib/browser/store.ts';

/** What lies over the page: the palette, the help of the keyboard, or neither. */
export type Overlay = 'palette' | 'help' | 'none';

export const overlay = createStore<Overlay>('none');
