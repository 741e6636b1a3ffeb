import type { ExtractCounts, Job } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../../lib/api/errors.ts';
import { isOfDeletedRecord } from '../../lib/entity/deleted-records.ts';
import { endOfFollowed, type Resumed } from '../../lib/jobs/end-of-followed.ts';
import { followedWork, type FollowedWork } from '../../lib/jobs/followed-work.ts';
import { stateLabels } from '../../lib/jobs/job-labels.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { type Extraction, extractionFailure, extractions } from './extraction.ts';

/** Refetches what shows reports, their records and jobs. */
export const refreshReports = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    ['reports', 'vulnerabilities', 'threats', 'jobs'].map((noun) =>
      queryClient.invalidateQueries({
        queryKey: [noun],
        // The page of a deleted report is still open: its refetch would fail with 404.
        predicate: ({ queryKey }) => !isOfDeletedRecord(queryKey),
      }),
    ),
  );

/** 'N were extracted from the file.' (spec 8); without new records, the counts of the others. */
export function extractedText(result: ExtractCounts, extraction: Extraction): string {
  const { created, updated, unchanged, skipped } = result;
  if (created > 0)
    return `${formatCount(created)} ${created === 1 ? 'was' : 'were'} extracted from the file.`;
  const known = [
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [skipped, 'skipped'],
  ] as const;
  const parts = known.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  if (parts.length === 0) return extractions[extraction].none;
  return `0 were extracted from the file: ${parts.join(', ')} of ${plural(result.records, 'record')}.`;
}

/** Counts of an extraction that has ended. @throws with the server's text when the job failed or was cancelled */
function resultOf(job: Job): ExtractCounts {
  if (job.state === 'cancelled') throw new Error('The extraction was cancelled.');
  if (job.state === 'failed' || job.result === null || !('kinds' in job.result)) {
    throw new Error(job.error?.message ?? 'Please try again.');
  }
  return job.result;
}

/** Shows the counts of an extraction (spec 8). */
export const showExtracted = (extraction: Extraction, result: ExtractCounts): unknown =>
  toast.success(extractions[extraction].done, extractedText(result, extraction));

export const showExtractionFailed = (
  extraction: Extraction,
  error: unknown,
  fileId: string | null,
): unknown =>
  toast.error('Extraction failed', messageOf(error, extractions[extraction].fallback), {
    id: extractionFailure(extraction, fileId),
  });

/** Follows the job of an extraction, also over a reload of the page. */
export function followExtraction(queryClient: QueryClient, jobId: string, extraction: Extraction): void {
  const work = { id: jobId, kind: 'extraction', data: extraction };
  followedWork.add(work);
  void showExtraction(queryClient, work);
}

/** Shows the outcome of an extraction, once it has ended. */
export async function showExtraction(
  queryClient: QueryClient,
  work: FollowedWork,
  resumed?: Resumed,
): Promise<void> {
  const extraction = work.data as Extraction;
  const job = await endOfFollowed(work, resumed);
  if (job === null) return;
  try {
    if (job === 'deleted') throw new Error('The report was deleted.');
    showExtracted(extraction, resultOf(job));
  } catch (error) {
    showExtractionFailed(extraction, error, job === 'deleted' ? null : job.fileId);
  }
  await refreshReports(queryClient);
}

export const filesDeleted = (count: number) =>
  ['Files deleted', `${plural(count, 'file was', 'files were')} removed.`] as const;

/** Follows the job of a deletion of many files, also over a reload of the page. */
export function followDeletion(queryClient: QueryClient, jobId: string): void {
  const work = { id: jobId, kind: 'deletion', data: null };
  followedWork.add(work);
  void showDeletion(queryClient, work);
}

/** Shows the outcome of a deletion that became a job, once it has ended. */
export async function showDeletion(
  queryClient: QueryClient,
  work: FollowedWork,
  resumed?: Resumed,
): Promise<void> {
  const job = await endOfFollowed(work, resumed);
  if (job === null) return;
  // The outcome of a deleted job is unknown; the list shows which files are left.
  if (job === 'deleted') toast.close(work.id);
  else showDeletionEnd(job);
  await refreshReports(queryClient);
}

function showDeletionEnd(job: Job): void {
  const options = { id: job._id };
  if (job.state === 'failed') toast.error('Delete failed', job.error?.message, options);
  else if (job.state === 'cancelled') toast.info('Files not deleted', stateLabels.cancelled, options);
  else if (job.result !== null && 'changed' in job.result)
    toast.success(...filesDeleted(job.result.changed), options);
}
