import { useEffect } from 'react';

/** Asks before the tab is closed or reloaded while `on`: the browser would drop what is on its way. */
export function useLeaveGuard(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}
