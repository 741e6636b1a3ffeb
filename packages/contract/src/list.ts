import { z } from 'zod';
import { Id, isKept, pageFields } from './common.ts';

/** Stands for an empty value in every filter (spec 5, Lists). */
export const notAvailable = 'N/A';

/**
 * A column of a list, declared once: the query that is accepted, the SQL, the table's head, the filters and the export
 * all come from it.
 */
export interface ListField {
  /** What people call it. */
  label: string;
  /** text: shown and sorted. choice: picked from its values. number, time: from and to, in the field's own unit. */
  kind: 'text' | 'choice' | 'number' | 'time';
  /** Values that may be asked for; absent: whatever the column holds. Of a number, the names of its bands. */
  values?: readonly string[];
  /** Of a choice: its values are identifiers. */
  ids?: true;
  /** Of a choice: its values are steps of a scale, so that a range of them can be asked for as well. */
  levels?: true;
  /** Labels of values, by value. */
  labels?: Readonly<Record<string, string>>;
  sortable?: false;
}

/** What a column of levels is declared as: the steps of its scale, by number and by name. */
export const levelsOf = (scale: Readonly<Record<number, string>>) =>
  ({ kind: 'choice', values: Object.keys(scale), levels: true, labels: scale }) as const;

export type ListFields = Readonly<Record<string, ListField>>;

type Named<F extends ListFields, Kinds extends ListField['kind']> = {
  [K in keyof F & string]: F[K]['kind'] extends Kinds ? K : never;
}[keyof F & string];

type Levels<F extends ListFields> = {
  [K in keyof F & string]: F[K] extends { levels: true } ? K : never;
}[keyof F & string];

/** What a list is narrowed by: values of choices and bands, ranges of numbers and times, words. */
export type ListFilter<F extends ListFields> = { search?: string } & {
  [K in Named<F, 'choice' | 'number' | 'time'>]?: string[];
} & { [K in Named<F, 'number'> | Levels<F> as `${K}Min` | `${K}Max`]?: number } & {
  [K in Named<F, 'time'> as `${K}Min` | `${K}Max`]?: string;
};

export interface ListPage {
  page: number;
  pageSize: number;
  sort: string;
  /** Walks the whole list at constant cost: what the page before named as `nextCursor`. */
  cursor?: string;
}

type Extra = Record<string, z.ZodType>;
type Inferred<E extends Extra> = { [K in keyof E]?: z.output<E[K]> };

export interface ListDefinition<F extends ListFields, E extends Extra> {
  fields: F;
  /** How it is sorted unless told otherwise. */
  standard: string;
  filter: z.ZodType<ListFilter<F> & Inferred<E>>;
  query: z.ZodType<ListFilter<F> & Inferred<E> & ListPage>;
  /** One or several fields whose values are wanted; none: all. */
  facetsQuery: z.ZodType<ListFilter<F> & Inferred<E> & { field?: string[]; facetSearch?: string }>;
  exportQuery: z.ZodType<
    ListFilter<F> & Inferred<E> & { sort: string; format: 'csv' | 'json'; columns?: string }
  >;
  /** These rows, or all that match: what a bulk action is asked to work on. */
  selection: z.ZodType<{ ids?: string[]; filter?: ListFilter<F> & Inferred<E> }>;
}

/** A field that may come once or several times. */
const many = (one: z.ZodType<string>) =>
  z.union([one, z.array(one).max(200)]).transform((value): string[] => [value].flat());

const dayMs = 86_400_000;
const day = z.iso.date();
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
/** From the day's first moment, and up to its last: whoever says a day means all of it. */
const since = z
  .union([moment, day.transform((text) => new Date(text).toISOString())])
  .refine(isKept, 'Enter a date.');
const until = z
  .union([moment, day.transform((text) => new Date(new Date(text).getTime() + dayMs - 1).toISOString())])
  .refine(isKept, 'Enter a date.');
/** In an address every number is a text; an empty one is none, and not 0. */
export const Amount = z.union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())]);

/** True or false as an address says it, or as a body does. */
export const Flag = z.union([z.boolean(), z.stringbool()]);

function shapeOf(name: string, field: ListField): [string, z.ZodType][] {
  const { kind, values, ids, levels } = field;
  if (kind === 'text') return [];
  const free = ids ? z.union([Id, z.literal(notAvailable)]) : z.string().max(500);
  const known = values ? z.enum([...values, notAvailable]) : free;
  const named = kind === 'choice' || values ? known : z.literal(notAvailable);
  const value: [string, z.ZodType] = [name, many(named as z.ZodType<string>).optional()];
  if (kind === 'choice' && !levels) return [value];
  const [least, greatest] = kind === 'time' ? [since, until] : [Amount, Amount];
  return [value, [`${name}Min`, least.optional()], [`${name}Max`, greatest.optional()]];
}

/** Declares a list: its fields once, the schemas of everything that can be asked of it. */
export function defineList<const F extends ListFields, const E extends Extra>(
  fields: F,
  { standard, extra }: { standard: string; extra: E },
): ListDefinition<F, E> {
  const optionalExtra = Object.fromEntries(
    Object.entries(extra).map(([name, schema]) => [name, schema.optional()]),
  );
  const filterShape = {
    search: z.string().max(200).optional(),
    ...Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => shapeOf(name, field))),
    ...optionalExtra,
  };
  const sortable = Object.keys(fields).filter((name) => fields[name]?.sortable !== false);
  const sort = z
    .string()
    .regex(new RegExp(`^-?(${sortable.join('|')})$`, 'u'), `Sortable by: ${sortable.join(', ')}`)
    .default(standard);
  const filter = z.object(filterShape);
  const definition = {
    fields,
    standard,
    filter,
    query: filter.extend({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(500).default(50),
      sort,
      cursor: z.string().max(2000).optional(),
    }),
    facetsQuery: filter.extend({
      field: many(z.enum(Object.keys(fields) as [string, ...string[]])).optional(),
      facetSearch: z.string().max(200).optional(),
    }),
    exportQuery: filter.extend({
      sort,
      format: z.enum(['csv', 'json']).default('csv'),
      /** Comma separated, in the order wanted; absent: all. */
      columns: z.string().max(1000).optional(),
    }),
    selection: z
      .object({
        ids: z.array(Id).min(1).max(1000).optional(),
        // A filter that is passed over because of a slip in its name would select everything.
        filter: z.strictObject(filterShape).optional(),
      })
      .refine(({ ids, filter: by }) => (ids === undefined) !== (by === undefined), {
        path: ['ids'],
        message: 'Name either ids or a filter.',
      }),
  };
  return definition as unknown as ListDefinition<F, E>;
}

/** Fields that every list of the kit carries beside its rows. `nextCursor` is null on the last page. */
export const listFields = { ...pageFields, nextCursor: z.string().nullable() };

/** Distinct values and counts of the fields that were asked for, each under the filters of the others. */
export const Facets = z.object({
  facets: z.record(
    z.string(),
    z.object({
      /** Most frequent first, at most 200; `N/A` for empty. */
      values: z.array(
        z.object({
          value: z.string(),
          /** What people call it, where the value itself is an identifier. */
          label: z.string().optional(),
          count: z.int(),
        }),
      ),
      /** There are more values than these. */
      more: z.boolean(),
      /** Of a number or time: the least and the greatest. */
      min: z.union([z.number(), z.string()]).nullable().optional(),
      max: z.union([z.number(), z.string()]).nullable().optional(),
    }),
  ),
});
export type Facets = z.infer<typeof Facets>;

/** A bulk action above this many rows runs as a job. */
export const mostAtOnce = 500;
