import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Event on `window` that refreshes every file list (spec 4). */
export const uploadedEvent = 'stix:uploaded';

/** Milliseconds in which several uploads cause one refresh. */
const refreshDelayMs = 500;

/** Refetches reports on `stix:uploaded` (spec 4), from any dispatcher. */
export function useUploadedRefresh(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['reports'] });
      }, refreshDelayMs);
    };
    window.addEventListener(uploadedEvent, refresh);
    return () => {
      window.removeEventListener(uploadedEvent, refresh);
      clearTimeout(timer);
    };
  }, [queryClient]);
}
