import { useEffect, useState } from 'react';

/** True after `on` has been true for `delay` milliseconds, so that short states do not flicker. */
export function useDelayed(on: boolean, delay = 150): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setTimeout(() => setHeld(true), delay);
    return () => {
      clearTimeout(timer);
      setHeld(false);
    };
  }, [on, delay]);
  return on && held;
}
