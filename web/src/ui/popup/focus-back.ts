/**
 * Where the focus goes when a popup closes: back to its button, unless it has moved on already, as into a dialog that an
 * entry of the popup has opened.
 */
export function focusBack(popup: Element | null, button: HTMLElement): HTMLElement | false {
  const { activeElement, body } = document;
  const isHere = activeElement === null || activeElement === body || popup?.contains(activeElement) === true;
  return isHere ? button : false;
}
