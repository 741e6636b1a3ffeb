import { useEffect, useState } from 'react';

/**
 * The time, in milliseconds since the epoch, renewed every `step` milliseconds.
 * @param step at least 1,000; nothing on a page needs to be more exact
 */
export function useNow(step = 30_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}
