/** A sort as the API takes it: a column, with `-` in front for descending (contract, HTTP). */
export type Sort = string;

/** Direction in which `column` is sorted, for `aria-sort`. */
export function sortDirection(sort: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** What a click on the header of `column` sorts by. */
export const nextSort = (sort: Sort, column: string): Sort => (sort === column ? `-${column}` : column);
