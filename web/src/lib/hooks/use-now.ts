import { useEffect, useState } from 'react';

/**
 * The current time in milliseconds since the epoch, updated every `step` milliseconds.
 * @param step at least 1,000
 */
export function useNow(step = 30_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}
