import { useCallback, useInsertionEffect, useRef } from 'react';

/**
 * The same function in every render, which calls the newest one: for rows that render again only when they must.
 * Not to be called while rendering.
 */
export function useStable<A extends readonly unknown[], R>(
  fn: ((...input: A) => R) | undefined,
): (...input: A) => R | undefined {
  const newest = useRef(fn);
  useInsertionEffect(() => {
    newest.current = fn;
  });
  return useCallback((...input: A) => newest.current?.(...input), []);
}
