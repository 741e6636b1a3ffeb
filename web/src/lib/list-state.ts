import { notAvailable, type ListField, type ListFields, type ListFilter } from '@riskboard/contract';
import { z } from 'zod';

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
export interface ListStateSpec<F extends ListFields, E extends z.ZodRawShape> {
  fields: F;
  /** Sorting unless told otherwise; `-` in front for descending. */
  standard: string;
  pageSizes: readonly number[];
  /** Narrows the list beyond its fields and goes to the API, as `fileId`; each must fall back without an error. */
  extra: E;
  /** Whether rows without a value can be asked for. */
  empty: boolean;
}

/** The router reads `?search=2024` as a number; to a person it is text all the same. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const values = z
  .union([text, z.array(text)])
  .transform((value) => [...new Set([value].flat())].filter((one) => one !== ''));

/** A day of the calendar, or a moment as the API itself takes it. */
const moment = z.union([z.iso.date().refine((day) => day >= '1970'), z.iso.datetime({ offset: true })]);
const bounds = { number: z.coerce.number().refine(Number.isFinite), time: moment } as const;

const isId = (value: string): boolean => z.uuid().safeParse(value).success;

/** Values that a field may be asked for, whatever else somebody wrote into the address. */
function valuesOf({ kind, values: known, ids }: ListField, empty: boolean): z.ZodType<string[] | undefined> {
  const allowed = known ?? (kind === 'choice' ? undefined : []);
  const free = ids ? isId : (value: string) => value.length <= 500;
  return values
    .transform((asked) => {
      const valid = asked.filter((one) =>
        one === notAvailable ? empty : (allowed?.includes(one) ?? free(one)),
      );
      return valid.length === 0 ? undefined : valid.slice(0, 200);
    })
    .optional()
    .catch(undefined);
}

function shapeOf([name, field]: [string, ListField], empty: boolean): [string, z.ZodType][] {
  if (field.kind === 'text') return [];
  if (field.kind === 'choice') return [[name, valuesOf(field, empty)]];
  const bound: z.ZodType = bounds[field.kind];
  return [
    [name, valuesOf(field, empty)],
    [`${name}Min`, bound.optional().catch(undefined)],
    [`${name}Max`, bound.optional().catch(undefined)],
  ];
}

/**
 * Schema of a list's state in the address. Whatever is not valid falls back without an error (stack, UX: URL is the
 * state); a field of several values is repeated.
 */
export function listStateSchema<F extends ListFields, E extends z.ZodRawShape>({
  fields,
  standard,
  pageSizes,
  extra,
  empty,
}: ListStateSpec<F, E>): ListStateSchema<F, E> {
  const sortable = new Set(
    Object.keys(fields).flatMap((name) => (fields[name]?.sortable === false ? [] : [name, `-${name}`])),
  );
  const size = pageSizes[0] ?? dataPageSizes[0];
  const schema = z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1),
    pageSize: z.coerce
      .number()
      .refine((one) => pageSizes.includes(one))
      .default(size)
      .catch(size),
    sort: z
      .string()
      .refine((sort) => sortable.has(sort))
      .default(standard)
      .catch(standard),
    search: text.pipe(z.string().max(200)).default('').catch(''),
    view: z.uuid().optional().catch(undefined),
    ...Object.fromEntries(Object.entries(fields).flatMap((entry) => shapeOf(entry, empty))),
    ...extra,
  });
  return schema as unknown as ListStateSchema<F, E>;
}

/** What a shape gives and takes; of no fields, nothing to add (zod would say: no further field at all). */
type Output<E extends z.ZodRawShape> = keyof E extends never ? unknown : z.output<z.ZodObject<E>>;
type Input<E extends z.ZodRawShape> = keyof E extends never ? unknown : z.input<z.ZodObject<E>>;

export type ListStateSchema<F extends ListFields, E extends z.ZodRawShape> = z.ZodType<
  ListStateOf<F, Output<E>>,
  Partial<ListStateOf<F, Input<E>>>
>;

/** The same with its fields forgotten: what the kit works on. */
export type AnyListState = ListState & Readonly<Record<string, unknown>>;

/** Any change but a turn of the page goes back to page 1 (spec 5, Lists). */
export function changed<S extends ListState>(state: S, change: Partial<S>): S {
  return { ...state, page: 1, ...change };
}
