import type { Deps } from '../deps.ts';
import { deleteOutdatedRows } from './delete-outdated-rows.ts';
import { deleteOldBatches } from './old-batches.ts';
import { requestDaily } from './overview.ts';
import { recordDailyScores } from './record-scores.ts';
import { runSteps } from './steps.ts';

/**
 * The work of each hour: deletes outdated rows and batches, records the scores of assets and requests recomputations of
 * the overview, in its first round for all organizations.
 */
export function hourlyRound(deps: Deps, { batchDays }: { batchDays: number }): () => Promise<void> {
  const { log } = deps;
  let isFirst = true;
  return () =>
    runSteps(deps, [
      [
        'outdated rows not deleted',
        async () => {
          const deleted = await deleteOutdatedRows(deps);
          if (deleted > 0) log.info({ deleted }, 'outdated rows deleted');
        },
      ],
      [
        'old batches not deleted',
        async () => {
          const batches = await deleteOldBatches(deps, { days: batchDays });
          if (batches > 0) log.info({ batches }, 'old batches deleted');
        },
      ],
      [
        'daily scores of assets not recorded',
        async () => {
          const recorded = await recordDailyScores(deps);
          if (recorded > 0) log.info({ recorded }, 'daily scores of assets recorded');
        },
      ],
      [
        'recomputations of the overview not requested',
        async () => {
          await requestDaily(deps, { all: isFirst });
          isFirst = false;
        },
      ],
    ]);
}
