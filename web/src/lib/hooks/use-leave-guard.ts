import { useEffect } from 'react';

/** Asks for confirmation before the tab is closed or reloaded while `on`, so that running requests are not lost. */
export function useLeaveGuard(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}
