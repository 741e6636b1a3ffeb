const writes = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
const takesKeys = `${writes}, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`;

/**
 * Whether a key was pressed that stands for an action by itself: without a modifier, not while somebody types, and not
 * inside something that takes keys of its own, such as a menu (WCAG 2.1.4).
 */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element && event.target.closest(takesKeys) !== null);
}
