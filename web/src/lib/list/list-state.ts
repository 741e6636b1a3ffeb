import { notAvailable, type ListField, type ListFields, type ListFilter } from '@riskboard/contract';
import {
  dayOrMoment,
  id,
  number,
  only,
  orElse,
  page,
  searchSchema,
  string,
  text,
  textUpTo,
  type Read,
  type SearchOf,
  type SearchSchema,
  type SearchShape,
} from './search-schema.ts';

/** Page sizes (spec 9, Paging). */
export const dataPageSizes = [10, 20, 30, 40, 50] as const;

/** Value of `view` that opens the whole list, also when the user has a default view. */
export const wholeList = 'none';

/** URL parameters of every list. */
export interface ListState {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: string;
  readonly search: string;
  /** Id of the open saved view, or `wholeList`. */
  readonly view?: string | undefined;
}

/** URL state of a list with these fields, including the page's own parameters. */
export type ListStateOf<F extends ListFields, Extra = unknown> = ListState &
  Readonly<Omit<ListFilter<F>, 'search'>> &
  Extra;

/** Input of a list's URL schema. */
export interface ListStateSpec<F extends ListFields, E extends SearchShape> {
  fields: F;
  /** Default sort; a leading `-` means descending. */
  standard: string;
  pageSizes: readonly number[];
  /** Extra filters that are not fields, such as `fileId`; sent to the API. */
  extra: E;
  /** Whether the API can filter for rows without a value. */
  empty: boolean;
}

/** The valid values of a field's parameter, without duplicates. */
function valuesOf({ kind, values: known, ids }: ListField, empty: boolean): Read<string[] | undefined> {
  const allowed = known ?? (kind === 'choice' ? undefined : []);
  const isFree = (one: string) => (ids ? id(one) !== undefined : one !== '' && one.length <= 500);
  const isValid = (one: string) => (one === notAvailable ? empty : (allowed?.includes(one) ?? isFree(one)));
  return (raw) => {
    const given = [raw].flat().map(text);
    const valid = [...new Set(given)].filter((one) => one !== undefined && isValid(one)) as string[];
    return valid.length === 0 ? undefined : valid.slice(0, 200);
  };
}

const bounds = { choice: number, number, day: dayOrMoment, time: dayOrMoment } as const;

function shapeOf([name, field]: [string, ListField], empty: boolean): [string, Read<unknown>][] {
  if (field.kind === 'text') return [];
  if (field.kind === 'choice' && field.levels !== true) return [[name, valuesOf(field, empty)]];
  const bound = bounds[field.kind];
  return [
    [name, valuesOf(field, empty)],
    [`${name}Min`, bound],
    [`${name}Max`, bound],
  ];
}

/**
 * Schema of a list's URL state. Invalid parameters get their default without an error (stack, UX: URL is the state); a
 * field with several values is repeated.
 */
export function listStateSchema<F extends ListFields, E extends SearchShape>({
  fields,
  standard,
  pageSizes,
  extra,
  empty,
}: ListStateSpec<F, E>): ListStateSchema<F, E> {
  const sortable = new Set(
    Object.keys(fields).flatMap((name) => (fields[name]?.sortable === false ? [] : [name, `-${name}`])),
  );
  const schema = searchSchema({
    page: orElse(page, 1),
    pageSize: orElse(
      only(number, (size) => pageSizes.includes(size)),
      pageSizes[0] ?? dataPageSizes[0],
    ),
    sort: orElse(
      only(string, (sort) => sortable.has(sort)),
      standard,
    ),
    search: orElse(textUpTo(200), ''),
    view: (raw) => (raw === wholeList ? wholeList : id(raw)),
    ...Object.fromEntries(Object.entries(fields).flatMap((entry) => shapeOf(entry, empty))),
    ...extra,
  });
  return schema as unknown as ListStateSchema<F, E>;
}

/** State that a shape adds. */
type Added<E extends SearchShape> = keyof E extends never ? unknown : SearchOf<E>;

export type ListStateSchema<F extends ListFields, E extends SearchShape> = SearchSchema<
  ListStateOf<F, Added<E>>
>;

/** The state without the types of its fields, as the list components use it. */
export type AnyListState = ListState & Readonly<Record<string, unknown>>;

/** Any change other than paging goes back to page 1 (spec 5, Lists). */
export function changed<S extends ListState>(state: S, change: Partial<S>): S {
  return { ...state, page: 1, ...change };
}
