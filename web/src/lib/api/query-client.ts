import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

// The default, a timer, may run after a second click: the form would be sent twice before its button is busy.
notifyManager.setScheduler(queueMicrotask);

/** Retries failures that may be temporary; refusals are final. */
const retry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

/** The cache of server data. Events of the socket mark data as stale, so mounting and focus refetch little. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry, retryDelay: (failures) => 500 * 2 ** failures },
      // Without a connection a change fails at once with the reason: the default waits for one and shows nothing.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
