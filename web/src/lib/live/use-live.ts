import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveState } from './live-state.ts';

/**
 * Keeps the app's socket open while the component is mounted. Its code loads after the page.
 * @param owner the user and the organization: a change of either drops the jobs and opens another socket
 * @param allowed false when the server would refuse the socket
 */
export function useLive(owner: string, allowed: boolean): void {
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
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another owner needs another socket
  }, [owner, allowed, queryClient]);
}
