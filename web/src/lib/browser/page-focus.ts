import type { AnyRouter } from '@tanstack/react-router';

/** How long a page may take to show the link that was followed from it, in milliseconds. */
const linkDelay = 3000;

/** Moves the focus to the content of the page: the control that had it disappears. */
export const focusMain = (): void => document.querySelector('main')?.focus({ preventScroll: true });

/**
 * Moves the focus from a control that its own action removes: to the next `data-peer` in the same `data-peers`, to the
 * previous one, or elsewhere when it is the last of them.
 */
export function focusPeer(control: HTMLElement, otherwise: () => void): void {
  const peers = [...(control.closest('[data-peers]')?.querySelectorAll<HTMLElement>('[data-peer]') ?? [])];
  const index = peers.indexOf(control);
  const peer = peers[index + 1] ?? peers[index - 1];
  if (peer === undefined) otherwise();
  else peer.focus();
}

/** Entry of the history: navigations create new ones, and Back and Forward return to existing ones. */
export const entryOf = ({ state }: { state: { __TSR_key?: string | undefined } }): string =>
  // oxlint-disable-next-line no-underscore-dangle -- the router's name
  state.__TSR_key ?? '';

/**
 * Moves the focus when another page is shown, so that it does not get lost with the old one: to the link that was
 * followed from the page when the user returns to it, else to `main`. A page that focuses one of its elements keeps that
 * focus, and changes of the search alone do not move it. The scroll position is the router's.
 */
export function followPagesWithFocus(router: AnyRouter): void {
  /** The followed link of each entry of the history. */
  const followed = new Map<string, string>();
  let before: Element | null = null;
  let stopWaiting = (): void => undefined;

  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    stopWaiting();
    before = document.activeElement;
    const href = before?.closest('main a[href]')?.getAttribute('href');
    if (fromLocation === undefined) return;
    if (href == null) followed.delete(entryOf(fromLocation));
    else followed.set(entryOf(fromLocation), href);
  });

  function focusPage(href: string | undefined): void {
    const main = document.querySelector('main');
    if (main === null) return;
    const dialog = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]');
    if (dialog != null) stopWaiting = whenRemoved(dialog, () => focusPage(href));
    else if (!isFocusedByPage(main, before) && (href === undefined || !focusLink(main, href))) {
      main.focus({ preventScroll: true });
      if (href !== undefined) stopWaiting = waitForLink(main, href);
    }
  }

  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (fromLocation !== undefined && pathChanged) focusPage(followed.get(entryOf(toLocation)));
  });
}

/** Whether the page has put the focus on one of its elements. */
function isFocusedByPage(main: HTMLElement, before: Element | null): boolean {
  const active = document.activeElement;
  if (active === null || active === main || !main.contains(active)) return false;
  // A link of a section's own navigation stays on the page that it leads to.
  return active !== before || active.hasAttribute('aria-current');
}

/** Calls back after an element was removed and the focus has been returned. @returns stops waiting */
function whenRemoved(element: Element, then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    timer = setTimeout(then, 0);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

function focusLink(main: HTMLElement, href: string): boolean {
  const links = [...main.querySelectorAll('a')];
  const link = links.find((one) => one.getAttribute('href') === href);
  link?.focus({ preventScroll: true });
  // Scrolls nothing where the router has restored the position.
  link?.scrollIntoView({ block: 'nearest' });
  return link !== undefined;
}

/** Focuses the link once the page has loaded it, unless the user has moved the focus. @returns stops waiting */
function waitForLink(main: HTMLElement, href: string): () => void {
  const observer = new MutationObserver(() => {
    const isMoved = document.activeElement !== main && document.activeElement !== document.body;
    if (isMoved || focusLink(main, href)) stop();
  });
  const timer = setTimeout(stop, linkDelay);
  function stop(): void {
    clearTimeout(timer);
    observer.disconnect();
  }
  observer.observe(main, { childList: true, subtree: true });
  return stop;
}
