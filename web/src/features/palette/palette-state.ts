import { createStore } from '../../lib/browser/store.ts';

/** The open overlay: the palette, the shortcut help, or none. */
export type Overlay = 'palette' | 'help' | 'none';

export const overlay = createStore<Overlay>('none');

/** Text typed between the shortcut of the palette and the focus of its input, which loads on first use. */
let typed = '';

/** Keeps what the user types for the palette instead of the page, until `takeTyped`. */
export function keepTyping(): void {
  typed = '';
  document.addEventListener('keydown', keepKey, { capture: true });
}

/** What the user has typed since `keepTyping`; from now on the focused element gets the keys. */
export function takeTyped(): string {
  document.removeEventListener('keydown', keepKey, { capture: true });
  const text = typed;
  typed = '';
  return text;
}

function keepKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (overlay.get() !== 'palette') return void takeTyped();
  if (ctrlKey || metaKey || altKey || isComposing) return;
  // Names of other keys, such as 'Shift', have several characters.
  const character = [...key].length === 1;
  if (key === 'Escape') overlay.set('none');
  else if (key === 'Backspace') typed = [...typed].slice(0, -1).join('');
  else if (character) typed += key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
