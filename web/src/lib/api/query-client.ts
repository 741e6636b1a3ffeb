import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

/** Tries again what may pass by itself; a refusal stays a refusal. */
const retry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

/** The cache of server data. The socket says what is stale, so mounting and focus alone refetch little. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry, retryDelay: (failures) => 500 * 2 ** failures },
      mutations: { retry: false },
    },
  });
