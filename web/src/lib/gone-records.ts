import type { QueryKey } from '@tanstack/react-query';

/** Ids of records that were deleted here and not brought back. */
const gone = new Set<string>();

export const markGone = (id: string): void => void gone.add(id);

export const markBack = (ids: readonly string[]): void => ids.forEach((id) => gone.delete(id));

/**
 * Whether a query asks for what was deleted here: until its page has made way for the list, asking once more would only
 * be told that it is not there. What others delete is asked for, and said to be gone.
 */
export const isOfGone = (queryKey: QueryKey): boolean =>
  queryKey.some((part) => typeof part === 'string' && gone.has(part));
