import type { ImportNoun, Job } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { endOfFollowed, type Resumed } from '../../../lib/jobs/end-of-followed.ts';
import { followedWork, type FollowedWork } from '../../../lib/jobs/followed-work.ts';
import { outcomeOf } from '../../../lib/jobs/job-outcome.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { countsText, undoText } from '../import-labels.ts';
import { importPages } from '../import-search.ts';
import { refreshImports } from '../queries.ts';

/** Jobs of an import. */
export type Run = 'check' | 'start' | 'undo';

interface ImportWork {
  readonly run: Run;
  readonly importId: string;
  readonly noun: ImportNoun;
  readonly fileName: string;
}

const texts = {
  check: { done: 'Dry run finished', failed: 'Dry run failed', cancelled: 'Dry run cancelled' },
  start: { done: 'Import finished', failed: 'Import failed', cancelled: 'Import cancelled' },
  undo: { done: 'Import undone', failed: 'Undo failed', cancelled: 'Undo cancelled' },
} as const satisfies Record<Run, unknown>;

interface Opening {
  /** Opens a page of the app; absent: the browser loads it. */
  readonly open?: (address: string) => void;
}

/** Follows the job of an import, also over a reload of the page. */
export function followImport(
  queryClient: QueryClient,
  jobId: string,
  { open, ...data }: ImportWork & Required<Opening>,
): void {
  const work = { id: jobId, kind: 'import', data };
  followedWork.add(work);
  void showImportEnd(queryClient, work, { open });
}

/** Shows the outcome of a dry run, an import or an undo, once it has ended. */
export async function showImportEnd(
  queryClient: QueryClient,
  work: FollowedWork,
  { open = (address) => location.assign(address), ...resumed }: Resumed & Opening = {},
): Promise<void> {
  const { run, importId, noun, fileName } = work.data as ImportWork;
  const job = await endOfFollowed(work, resumed);
  if (job === null) return;
  // The outcome of a deleted job is unknown.
  if (job === 'deleted') toast.close(work.id);
  else {
    const { tone, title, description } = noticeOf(job, run);
    const address = `${importPages[noun]}?import=${importId}`;
    const isOpen = `${location.pathname}${location.search}`.startsWith(address);
    toast[tone](title, `${fileName}: ${description}`, {
      id: work.id,
      ...(!isOpen && { action: { label: 'View', onClick: () => open(address) } }),
    });
  }
  await Promise.all([
    refreshImports(queryClient),
    ...(run === 'check'
      ? []
      : ['assets', 'vulnerabilities', 'projects', 'threats'].map((changed) =>
          queryClient.invalidateQueries({ queryKey: [changed] }),
        )),
  ]);
}

function noticeOf(job: Job, run: Run) {
  const { done, failed, cancelled } = texts[run];
  if (job.state === 'failed')
    return { tone: 'error', title: failed, description: outcomeOf(job) ?? 'Please try again.' } as const;
  if (job.state === 'cancelled')
    return { tone: 'info', title: cancelled, description: 'nothing was changed' } as const;
  return { tone: 'success', title: done, description: resultText(job) } as const;
}

function resultText({ kind, result }: Job): string {
  if (result === null) return 'done';
  if ('kept' in result) return undoText(result);
  return 'rows' in result ? countsText(result, { isWritten: kind !== 'csv.check' }) : 'done';
}
