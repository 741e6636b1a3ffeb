import { useEffect, useRef, type RefObject } from 'react';

/** Pixels around the popup that count as the popup: the gap to its trigger. */
const margin = 8;

function isOver(popup: HTMLElement, { clientX: x, clientY: y }: MouseEvent): boolean {
  const { left, right, top, bottom } = popup.getBoundingClientRect();
  return x >= left - margin && x <= right + margin && y >= top - margin && y <= bottom + margin;
}

/**
 * Whether the pointer is over a popup that takes no pointer events, so that it never covers what is clicked. The popup
 * can stay open while the pointer is over it (WCAG 1.4.13).
 * @param onLeave called when the pointer leaves the popup after `isOver` has answered true
 */
export function useHoverOver(
  popup: RefObject<HTMLElement | null>,
  { open, onLeave }: { open: boolean; onLeave: () => void },
): () => boolean {
  const over = useRef(false);
  const waiting = useRef(false);
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });

  useEffect(() => {
    if (!open) return undefined;
    function onMove(event: MouseEvent): void {
      over.current = popup.current !== null && isOver(popup.current, event);
      if (over.current || !waiting.current) return;
      leave.current();
    }
    document.addEventListener('mousemove', onMove, { passive: true });
    return () => {
      document.removeEventListener('mousemove', onMove);
      over.current = false;
      waiting.current = false;
    };
  }, [open, popup]);

  return () => {
    waiting.current = over.current;
    return over.current;
  };
}
