import type { ActivityAction, ActivityDetail } from '@riskboard/contract';
import type { DeletedRow, OrganizationTransaction } from '@riskboard/db';
import { plural } from '@riskboard/domain';
import { recordActivity } from './record-activity.ts';
import type { Caller } from '../security/caller.ts';

type DeletionAction = Extract<ActivityAction, `${string}.deleted` | `${string}.restored`>;

interface DeletionActivity {
  action: DeletionAction;
  labels: { one: string; many: string };
  rows: readonly DeletedRow[];
  detail?: ActivityDetail<DeletionAction>;
}

/** Records that rows were deleted or restored: a single row by its name, several by their number. */
export async function recordDeletion(
  trx: OrganizationTransaction,
  caller: Caller,
  activity: DeletionActivity,
): Promise<void> {
  const { action, labels, rows, detail = {} } = activity;
  const [first] = rows;
  if (!first) return;
  const single = rows.length === 1;
  await recordActivity(trx, caller, {
    action,
    nounId: single ? first.id : null,
    name: single ? first.name : plural(rows.length, labels.one, labels.many),
    detail: { count: rows.length, ...detail },
  });
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

/** Reply of a bulk deletion. */
export const deletedReply = (deletedCount: number, { one, many }: DeletionActivity['labels']) => ({
  success: true as const,
  deletedCount,
  message: `${plural(deletedCount, one, many)} ${deletedCount === 1 ? 'was' : 'were'} deleted.`,
});
