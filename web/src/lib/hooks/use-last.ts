import { useState } from 'react';

/** The value, or the last defined one: an element keeps its content during its exit animation. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
