import { useEffect, useState } from 'react';

// oxlint-disable-next-line no-restricted-properties -- compared with times of the server, which also follow the clock
const now = () => Date.now();

/**
 * The current time in milliseconds since the epoch, updated every `step` milliseconds.
 * @param step at least 1,000
 */
export function useNow(step = 30_000): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return time;
}
