import type { QueryClient } from '@tanstack/react-query';
import { showImportEnd } from '../../features/imports/run/import-toasts.ts';
import { showDeletion, showExtraction } from '../../features/reports/job-toasts.ts';
import { showBatch, showInterruption } from '../../features/reports/upload/transfer/batch-toast.ts';
import { showCalculationEnd } from '../../lib/cwss/calculation-toasts.ts';
import { showBulkOutcome } from '../../lib/entity/bulk-outcome.ts';
import type { Resumed } from '../../lib/jobs/end-of-followed.ts';
import type { FollowedWork } from '../../lib/jobs/followed-work.ts';

type ShowEnd = (queryClient: QueryClient, work: FollowedWork, resumed: Resumed) => Promise<void>;

const showEnd = new Map<string, ShowEnd>([
  ['records', showBulkOutcome],
  ['extraction', showExtraction],
  ['deletion', showDeletion],
  ['import', showImportEnd],
  ['cwss', showCalculationEnd],
  ['uploads', (_queryClient, work, resumed) => showBatch(work, resumed)],
  ['interrupted-uploads', (_queryClient, work) => showInterruption(work)],
]);

/** Waits for the end of work that this tab started before a reload, and shows it. */
export function resumeWork(queryClient: QueryClient, works: readonly FollowedWork[]): void {
  for (const work of works) void showEnd.get(work.kind)?.(queryClient, work, { isResumed: true });
}
