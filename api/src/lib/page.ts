/** A list's page as the contract shows it, and as SQL wants it. */
export interface PageQuery {
  page: number;
  pageSize: number;
  sort: string;
  search?: string | undefined;
}

export const limits = (query: PageQuery) => ({
  limit: query.pageSize,
  offset: (query.page - 1) * query.pageSize,
});

/** `-createdAt` as a column and a direction; the columns come from the list's own table. */
export function sorting<C>(
  query: PageQuery,
  columns: Record<string, C>,
): { column: C; direction: 'asc' | 'desc' } {
  const descending = query.sort.startsWith('-');
  const column = columns[descending ? query.sort.slice(1) : query.sort];
  if (column === undefined) throw new Error(`No column for sort ${query.sort}`);
  return { column, direction: descending ? 'desc' : 'asc' };
}

/** A LIKE pattern that finds the text anywhere; its own wildcards are plain characters. */
export const contains = (search: string): string => `%${search.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;

/** A repeated query field as a list. */
export const many = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : ([value].flat() as T[]);
