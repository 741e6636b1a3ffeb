import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveState } from './live-state.ts';

/**
 * Keeps the app's socket open while the component is mounted, which is that of one user in one organization. Its code loads
 * after the page.
 * @param allowed false when the server would refuse the socket
 */
export function useLive(allowed: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!allowed) return undefined;
    let stop: (() => void) | undefined;
    let unmounted = false;
    async function start(): Promise<void> {
      const { startLive } = await import('./live.ts');
      if (!unmounted) stop = startLive(queryClient);
    }
    start().catch(() => liveState.set('offline'));
    return () => {
      unmounted = true;
      stop?.();
    };
  }, [allowed, queryClient]);
}
