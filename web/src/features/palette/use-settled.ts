import { useEffect, useState } from 'react';

/** The value once it has stood for `delay` milliseconds. */
export function useSettled<T>(value: T, delay = 160): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
