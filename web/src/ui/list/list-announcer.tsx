import { useEffect, useState } from 'react';

/** Milliseconds in which a page that was shown before gets its new total, which is announced with it. */
const settledAfter = 400;

interface ListAnnouncerProps {
  /** What the user changes, such as the page and the filters: the text is announced when this has changed. */
  of: string;
  /** Undefined while the changed rows load. */
  text: string | undefined;
}

/**
 * Announces the rows of a list to screen readers when the user has changed the list, and not when only the rows have
 * changed: an import changes them twice a second.
 */
export function ListAnnouncer({ of, text }: ListAnnouncerProps) {
  // What the page showed first is read with the page.
  const [announced, setAnnounced] = useState({ of, text: '' });
  useEffect(() => {
    if (text === undefined || announced.of === of) return undefined;
    const timer = setTimeout(() => setAnnounced({ of, text }), settledAfter);
    return () => clearTimeout(timer);
  }, [of, text, announced.of]);
  return (
    <span aria-live="polite" className="sr-only">
      {announced.text}
    </span>
  );
}
