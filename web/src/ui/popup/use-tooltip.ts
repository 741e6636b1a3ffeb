import { useEffect, useRef, useState, type FocusEvent, type PointerEvent } from 'react';

/** Milliseconds over something until it explains itself. */
const delay = 400;

/** Milliseconds until it is gone: the way to the text itself, which may be hovered too (WCAG 1.4.13). */
const grace = 100;

/** The moment until which the next one comes at once: whoever has read one reads its neighbours. */
let readingUntil = 0;

/** When a tooltip is there. It belongs to the element that is hovered or focused; null: to none. */
export function useTooltip() {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function later(element: Element | null, ms: number): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set(element), ms);
  }

  function set(element: Element | null): void {
    clearTimeout(timer.current);
    if (element === null && anchor !== null) readingUntil = Date.now() + delay;
    setAnchor(element);
  }

  return {
    anchor,
    close: () => set(null),
    trigger: {
      onPointerEnter({ currentTarget, pointerType }: PointerEvent) {
        if (pointerType !== 'touch') later(currentTarget, Date.now() < readingUntil ? 0 : delay);
      },
      onPointerLeave: () => later(null, grace),
      onFocus({ currentTarget }: FocusEvent) {
        if (currentTarget.matches(':focus-visible')) set(currentTarget);
      },
      onBlur: () => set(null),
    },
    popup: { onPointerEnter: () => clearTimeout(timer.current), onPointerLeave: () => later(null, grace) },
  };
}
