import type { QueryClient } from '@tanstack/react-query';
import { toast, type ToastOptions } from '../../ui/feedback/toast.ts';
import { isSessionEnd, messageOf } from '../api/errors.ts';
import { followedWork } from '../jobs/followed-work.ts';
import type { BulkWork } from './bulk-outcome.ts';

/** The reply to a bulk call that runs as a job. */
export interface AcceptedJob {
  jobId: string;
  message: string;
}

/**
 * Says that an action failed, with the server's message, else the fallback (spec 8). The end of the session is no failure
 * of the action: the login page says it.
 */
export function showFailure(
  title: string,
  error: unknown,
  { fallback = '', ...options }: { fallback?: string } & ToastOptions = {},
): void {
  if (isSessionEnd(error)) return;
  toast.error(title, messageOf(error, fallback) || undefined, options);
}

/** Refetches what is shown of a noun, except the pages of the deleted records, which would only answer 404. */
export function refetch(
  queryClient: QueryClient,
  noun: string,
  deletedIds: readonly string[] = [],
): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !deletedIds.some((id) => queryKey.includes(id)),
  });
}

/** Follows a bulk action that runs as a job, also over a reload of the page. */
export async function followBulk(queryClient: QueryClient, jobId: string, data: BulkWork): Promise<void> {
  const work = { id: jobId, kind: 'records', data };
  followedWork.add(work);
  const { showBulkOutcome } = await import('./bulk-outcome.ts');
  await showBulkOutcome(queryClient, work);
}
