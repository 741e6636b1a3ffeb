import { useRef } from 'react';

/**
 * Returns a function that runs a task and ignores calls until the task has ended. A second click may arrive before the
 * page has rendered the first one's busy state.
 */
export function useOneAtATime(): (task: () => Promise<void>) => Promise<void> {
  const running = useRef(false);
  return async (task) => {
    if (running.current) return;
    running.current = true;
    try {
      await task();
    } finally {
      running.current = false;
    }
  };
}
