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

/** Rows a page may show (spec 9, Paging). */
export const dataPageSizes = [10, 20, 30, 40, 50] as const;

/** What every list has in its address. */
export interface ListState {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: string;
  readonly search: string;
  /** The saved view that is open. */
  readonly view?: string | undefined;
}

/** State of a list of these fields in the address, with what the page adds to it. */
export type ListStateOf<F extends ListFields, Extra = unknown> = ListState &
  Readonly<Omit<ListFilter<F>, 'search'>> &
  Extra;

/** What the state of a list is made of. */
export interface ListStateSpec<F extends ListFields, E extends SearchShape> {
  fields: F;
  /** Sorting unless told otherwise; `-` in front for descending. */
  standard: string;
  pageSizes: readonly number[];
  /** Narrows the list beyond its fields and goes to the API, as `fileId`. */
  extra: E;
  /** Whether rows without a value can be asked for. */
  empty: boolean;
}

/** Values that a field may be asked for, each once, whatever else somebody wrote into the address. */
function valuesOf({ kind, values: known, ids }: ListField, empty: boolean): Read<string[] | undefined> {
  const allowed = known ?? (kind === 'choice' ? undefined : []);
  const isFree = (one: string) => (ids ? id(one) !== undefined : one !== '' && one.length <= 500);
  const isValid = (one: string) => (one === notAvailable ? empty : (allowed?.includes(one) ?? isFree(one)));
  return (raw) => {
    const asked = [raw].flat().map(text);
    const valid = [...new Set(asked)].filter((one) => one !== undefined && isValid(one)) as string[];
    return valid.length === 0 ? undefined : valid.slice(0, 200);
  };
}

const bounds = { number, day: dayOrMoment, time: dayOrMoment } as const;

function shapeOf([name, field]: [string, ListField], empty: boolean): [string, Read<unknown>][] {
  if (field.kind === 'text') return [];
  if (field.kind === 'choice') return [[name, valuesOf(field, empty)]];
  const bound = bounds[field.kind];
  return [
    [name, valuesOf(field, empty)],
    [`${name}Min`, bound],
    [`${name}Max`, bound],
  ];
}

/**
 * Schema of a list's state in the address. Whatever is not valid falls back without an error (stack, UX: URL is the
 * state); a field of several values is repeated.
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
    view: id,
    ...Object.fromEntries(Object.entries(fields).flatMap((entry) => shapeOf(entry, empty))),
    ...extra,
  });
  return schema as unknown as ListStateSchema<F, E>;
}

/** What a shape adds; of no fields, nothing. */
type Added<E extends SearchShape> = keyof E extends never ? unknown : SearchOf<E>;

export type ListStateSchema<F extends ListFields, E extends SearchShape> = SearchSchema<
  ListStateOf<F, Added<E>>
>;

/** The same with its fields forgotten: what the kit works on. */
export type AnyListState = ListState & Readonly<Record<string, unknown>>;

/** Any change but a turn of the page goes back to page 1 (spec 5, Lists). */
export function changed<S extends ListState>(state: S, change: Partial<S>): S {
  return { ...state, page: 1, ...change };
}
