import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Elements that toasts must not cover, such as pagers and bars of actions. They are marked without an import, which every list
 * would load.
 */
const keepClear = '[data-keep-clear]';

/** Pixels between the toasts and the bottom of the window. */
const usualBottom = 80;

/** Pixels between the toasts and an element that they do not cover. */
const gap = 8;

interface Box {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Distance of the toasts from the bottom of the window at which they cover none of the boxes; all in pixels. */
export function clearBottom(
  toasts: Pick<Box, 'left' | 'right'> & { height: number },
  boxes: readonly Box[],
  windowHeight: number,
): number {
  let bottom = usualBottom;
  for (const box of boxes.toSorted((a, b) => b.top - a.top)) {
    const isBeside = box.right <= toasts.left || box.left >= toasts.right;
    const isBelow = box.top >= windowHeight - bottom;
    const isAbove = box.bottom <= windowHeight - bottom - toasts.height;
    if (!isBeside && !isBelow && !isAbove) bottom = windowHeight - box.top + gap;
  }
  return bottom;
}

/**
 * Moves the toasts up where they would cover one of these elements, also one that appears after the toast, and publishes the
 * space that they take as `--toasts-space`, which a drawer leaves free on narrow screens.
 * @param count number of toasts shown
 */
export function useClearSpace(element: RefObject<HTMLElement | null>, count: number): void {
  const position = useEffectEvent(() => {
    const toasts = element.current;
    if (toasts === null) return;
    const { left, right, height } = toasts.getBoundingClientRect();
    const boxes = [...document.querySelectorAll(keepClear)].map((one) => one.getBoundingClientRect());
    const bottom = clearBottom({ left, right, height }, boxes, window.innerHeight);
    toasts.style.setProperty('bottom', `${bottom}px`);
    const { style } = document.documentElement;
    if (count === 0) style.removeProperty('--toasts-space');
    else style.setProperty('--toasts-space', `${bottom + height + gap}px`);
  });

  useEffect(() => {
    position();
    if (count === 0) return undefined;
    const observer = new ResizeObserver(() => position());
    if (element.current !== null) observer.observe(element.current);
    // Once in a frame: live rows change often, and measuring lays the page out.
    let frame = 0;
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => position());
    });
    changes.observe(document.body, { childList: true, subtree: true });
    const onMove = () => position();
    window.addEventListener('scroll', onMove, { capture: true, passive: true });
    window.addEventListener('resize', onMove);
    return () => {
      observer.disconnect();
      changes.disconnect();
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onMove, { capture: true });
      window.removeEventListener('resize', onMove);
    };
  }, [element, count]);
}
