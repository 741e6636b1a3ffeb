/** A sort parameter of the API: a column; a leading `-` means descending (contract, HTTP). */
export type Sort = string;

/** Direction in which `column` is sorted, for `aria-sort`. */
export function sortDirection(sort: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

interface SortCycle {
  /** Id of the column whose header was clicked. */
  column: string;
  /** Numbers and dates: the first click sorts descending. */
  descendingFirst: boolean;
  /** The list's default sort. */
  standard: Sort;
}

/** The sort after a click on a header: one direction, then the other, then the default of the list. */
export function nextSort(sort: Sort, { column, descendingFirst, standard }: SortCycle): Sort {
  const [first, second] = descendingFirst ? [`-${column}`, column] : [column, `-${column}`];
  if (sort === first) return second;
  return sort === second && standard !== second ? standard : first;
}
