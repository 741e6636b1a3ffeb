import type { DeletedRow, OrganizationTransaction } from '@riskboard/db';
import { recordActivity } from './record-activity.ts';
import type { Caller } from '../security/caller.ts';
import { plural } from '../plural.ts';

interface Deed {
  /** Noun and verb, as in `asset.deleted`. */
  action: string;
  noun: string;
  words: { one: string; many: string };
  rows: readonly DeletedRow[];
  detail?: Record<string, unknown>;
}

/** Writes down that these were deleted or brought back: one by its name, several by their number. */
export async function recordDeletion(
  trx: OrganizationTransaction,
  caller: Caller,
  deed: Deed,
): Promise<void> {
  const { action, noun, words, rows, detail = {} } = deed;
  const [first] = rows;
  if (!first) return;
  const single = rows.length === 1;
  await recordActivity(trx, caller, {
    action,
    noun,
    nounId: single ? first.id : null,
    name: single ? first.name : plural(rows.length, words),
    detail: { count: rows.length, ...detail },
  });
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

/** What a bulk deletion answers: how many, and which, so that they can be brought back. */
export const deletedReply = (gone: readonly DeletedRow[], words: Deed['words']) => ({
  success: true as const,
  deletedCount: gone.length,
  ids: idsOf(gone),
  message: `${plural(gone.length, words)} ${gone.length === 1 ? 'was' : 'were'} deleted.`,
});
