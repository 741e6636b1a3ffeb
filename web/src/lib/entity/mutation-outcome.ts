import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../api/errors.ts';
import { followedWork } from '../jobs/followed-work.ts';
import type { BulkWork } from './bulk-outcome.ts';

/** The reply to a bulk call that runs as a job. */
export interface AcceptedJob {
  jobId: string;
  message: string;
}

/** The server's message, else the fallback (spec 8); undefined when there is neither. */
export const reasonOf = (error: unknown, fallback = ''): string | undefined =>
  messageOf(error, fallback) || undefined;

/** '“Log4Shell”'. */
export const quoted = (name: string): string => `“${name}”`;

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
