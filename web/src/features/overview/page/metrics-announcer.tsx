import { useEffect, useRef, useState } from 'react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { statusLooks } from './security-banner.tsx';

/** Milliseconds without a change after which it is announced: an extraction changes the numbers twice a second. */
const settleMs = 3000;

/** Announces to screen readers a changed status or first sentence, once the numbers have settled. */
export function MetricsAnnouncer({ metrics }: { metrics: Metrics | undefined }) {
  const text =
    metrics &&
    `Security status ${statusLooks[metrics.securityStatus].label}. ${metrics.headline[0]?.text ?? ''}`;
  const [announced, setAnnounced] = useState('');
  // What the page showed first is read with the page.
  const known = useRef(text);
  useEffect(() => {
    known.current ??= text;
    if (text === undefined || text === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = text;
      setAnnounced(text);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}
