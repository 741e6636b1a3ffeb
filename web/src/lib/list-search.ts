import {
  number,
  oneOf,
  only,
  orElse,
  page,
  searchSchema,
  string,
  textUpTo,
  type SearchShape,
} from './search-schema.ts';

/** Rows a page may show (spec 9, Paging). */
export const pageSizes = [10, 20, 30, 40, 50] as const;

export const firstPage = { page: 1, pageSize: pageSizes[0], search: '' } as const;

/**
 * State of a list in the address: page, size, sorting, search, and what the page adds. Whatever is not valid falls back
 * without an error. `sortable` are the fields of the contract's list; `standard` may start with `-` for descending.
 */
export function listSearch<F extends string, const S extends SearchShape>(
  sortable: readonly F[],
  standard: NoInfer<F | `-${F}`>,
  added: S,
) {
  const sorts = new Set<string>(sortable.flatMap((field) => [field, `-${field}`]));
  const size = oneOf(pageSizes);
  return searchSchema({
    page: orElse(page, firstPage.page),
    pageSize: orElse((raw: unknown) => size(number(raw)), firstPage.pageSize),
    sort: orElse(
      only(string, (sort) => sorts.has(sort)),
      standard as string,
    ),
    search: orElse(textUpTo(200), firstPage.search),
    ...added,
  });
}

export interface ListSearch {
  readonly page: number;
  readonly pageSize: (typeof pageSizes)[number];
  readonly sort: string;
  readonly search: string;
}

/** Any change but a turn of the page goes back to page 1 (spec 5, Lists). */
export function withChange<S extends ListSearch>(current: S, change: Partial<S>): S {
  return { ...current, page: 1, ...change };
}

/** What the server is asked: an empty search is not sent. */
export function queryOf<S extends ListSearch>(search: S): Omit<S, 'search'> & { search?: string } {
  const { search: text, ...rest } = search;
  return text === '' ? rest : { ...rest, search: text };
}
