import { useCallback, useInsertionEffect, useRef } from 'react';

/**
 * A stable function that calls the latest `fn`, for memoized components and effects. It must not be called while
 * rendering.
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
