import { useEffect, type RefObject } from 'react';

/**
 * Keeps a picture from trapping whoever scrolls the page: the wheel zooms and one finger moves it only once it has the
 * focus, by a click or a tap; Ctrl or ⌘ with the wheel, and two fingers, always do.
 */
export function useQuietPointer(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const active = () => element.contains(document.activeElement);
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && !active()) event.stopPropagation();
    };
    const onTouch = (event: TouchEvent) => {
      if (event.touches.length < 2 && !active()) event.stopPropagation();
    };
    const onPress = () => element.focus({ preventScroll: true });
    const away = new AbortController();
    const { signal } = away;
    element.addEventListener('wheel', onWheel, { capture: true, passive: true, signal });
    element.addEventListener('touchstart', onTouch, { capture: true, passive: true, signal });
    element.addEventListener('touchmove', onTouch, { capture: true, passive: true, signal });
    element.addEventListener('mousedown', onPress, { signal });
    return () => away.abort();
  }, [host]);
}
