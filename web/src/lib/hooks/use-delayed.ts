import { useEffect, useState } from 'react';

/** True once `on` has held for `delay` milliseconds: what is quick never flickers. */
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
