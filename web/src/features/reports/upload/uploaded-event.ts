import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Refreshes file lists wherever they are shown (spec 4). */
export const uploadedEvent = 'stix:uploaded';

/** Milliseconds for which uploads are gathered into one refresh. */
const gather = 500;

/** Fetches reports again when the page hears `stix:uploaded` (spec 4), whoever sends it. */
export function useUploadedRefresh(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['reports'] });
      }, gather);
    };
    window.addEventListener(uploadedEvent, refresh);
    return () => {
      window.removeEventListener(uploadedEvent, refresh);
      clearTimeout(timer);
    };
  }, [queryClient]);
}
