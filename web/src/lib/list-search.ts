import { z } from 'zod';

/** Rows a page may show (spec 9, Paging). */
export const pageSizes = [10, 20, 30, 40, 50] as const;

export const firstPage = { page: 1, pageSize: pageSizes[0], search: '' } as const;

/** The router reads `?search=2024` as a number; to a person it is text all the same. */
const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(200));

/**
 * State of a list in the address: page, size, sorting, search. Whatever is not valid falls back without an error.
 * `sortable` are the fields of the contract's list; `standard` may start with `-` for descending.
 */
export function listSearch<F extends string>(sortable: readonly F[], standard: NoInfer<F | `-${F}`>) {
  const sorts = new Set<string>(sortable.flatMap((field) => [field, `-${field}`]));
  return z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(firstPage.page).catch(firstPage.page),
    pageSize: z.coerce
      .number()
      .pipe(z.literal(pageSizes))
      .default(firstPage.pageSize)
      .catch(firstPage.pageSize),
    sort: z
      .string()
      .refine((sort) => sorts.has(sort))
      .default(standard)
      .catch(standard),
    search: Text.default(firstPage.search).catch(firstPage.search),
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
