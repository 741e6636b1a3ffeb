import type { ActivityEntry } from '@riskboard/contract';

export interface Change {
  from: unknown;
  to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

/** Fields of an edit with their value before and after, whatever else a log of another version holds. */
export function changesIn({ changes }: ActivityEntry['detail']): Record<string, Change> {
  if (typeof changes !== 'object' || changes === null) return {};
  return Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, Change] => isChange(entry[1])),
  );
}
