import { createOwnedStore } from '../../lib/session/page-owner.ts';

/** The open overlay: the palette, the shortcut help, or none. */
export type Overlay = 'palette' | 'help' | 'none';

export const overlay = createOwnedStore<Overlay>('none');

/** Text typed between the shortcut of the palette and the focus of its input, which loads on first use. */
let typed: string[] = [];

/** Keeps what the user types for the palette instead of the page, until `takeTyped`. */
export function keepTyping(): void {
  typed = [];
  document.addEventListener('keydown', keepKey, { capture: true });
}

/** What the user has typed since `keepTyping`; from now on the focused element gets the keys. */
export function takeTyped(): string {
  document.removeEventListener('keydown', keepKey, { capture: true });
  const text = typed.join('');
  typed = [];
  return text;
}

function keepKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (overlay.get() !== 'palette') return void takeTyped();
  if (ctrlKey || metaKey || altKey || isComposing) return;
  if (key === 'Escape') overlay.set('none');
  else if (key === 'Backspace') typed.pop();
  // One code point; names of other keys, such as 'Shift', have several.
  else if (/^.$/u.test(key)) typed.push(key);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
