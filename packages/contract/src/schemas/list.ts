import { decimalNumber, plainLine } from '@riskboard/domain';
import { z } from 'zod';
import {
  type List,
  type ListField,
  type ListFields,
  type ListFilter,
  type ListPage,
  notAvailable,
} from '../list.ts';
import { Id, isKept, pageFields } from './common.ts';

type Extra = Record<string, z.ZodType>;
type Inferred<E extends Extra> = { [K in keyof E]?: z.output<E[K]> };

export interface ListSchemas<F extends ListFields, E extends Extra> {
  filter: z.ZodType<ListFilter<F> & Inferred<E>>;
  query: z.ZodType<ListFilter<F> & Inferred<E> & ListPage>;
  /** One or several fields whose values are wanted; none: all. */
  facetsQuery: z.ZodType<ListFilter<F> & Inferred<E> & { field?: string[]; facetSearch?: string }>;
  exportQuery: z.ZodType<
    ListFilter<F> & Inferred<E> & { sort: string; format: 'csv' | 'json'; columns?: string }
  >;
  /** Selection of a bulk action: rows by id, or all that match a filter. */
  selection: z.ZodType<{ ids?: string[]; filter?: ListFilter<F> & Inferred<E> }>;
}

/** A field that may come once or several times. */
export const many = (one: z.ZodType<string>) =>
  z.union([one, z.array(one).max(200)]).transform((value): string[] => [value].flat());

/**
 * Characters of a cursor. It holds the sort value of a row in base64: a text of at most 500 characters as JSON (up to 6 bytes
 * each), or ids of weaknesses, of which an entry of the index holds up to 4,400 bytes; with about 120 bytes for the rest.
 */
const longestCursor = 6200;

const dayMs = 86_400_000;
const day = z.iso.date();
const timestamp = z.iso.datetime({ offset: true });
const moment = timestamp.transform((text) => new Date(text).toISOString());
/** A day as a bound of times: from its first moment, and up to its last, in UTC. */
const since = z
  .union([moment, day.transform((text) => new Date(text).toISOString())])
  .refine(isKept, 'Enter a date.');
const until = z
  .union([moment, day.transform((text) => new Date(new Date(text).getTime() + dayMs - 1).toISOString())])
  .refine(isKept, 'Enter a date.');
/** A calendar day; of a timestamp, the day that is written in it. */
const dayBound = z
  .union([day, timestamp])
  .transform((text) => text.slice(0, 10))
  .refine(isKept, 'Enter a date.');
/** The first and the last moment of a filter's range of times. */
export const timeBounds = { from: since, to: until } as const;

/** The text of a search, as names have it. */
export const searchText = z.string().max(200).overwrite(plainLine);

/** In a query string every number is text; an empty string is refused, not read as 0. Documented as a number. */
export const Amount = z.preprocess(
  (value) => (typeof value === 'string' ? (decimalNumber(value) ?? Number.NaN) : value),
  z.number(),
);

/** True or false, as text in a URL or as a boolean in a body. Other texts with the same meaning are not documented. */
export const Flag = z.union([z.boolean(), z.stringbool().meta({ enum: ['true', 'false'] })]);

const bounds = {
  choice: [Amount, Amount],
  number: [Amount, Amount],
  day: [dayBound, dayBound],
  time: [timeBounds.from, timeBounds.to],
} as const;

/** How a range is described: from its least value, and up to its greatest. */
const boundTexts = {
  choice: ['this value or more', 'this value or less'],
  number: ['this number or more', 'this number or less'],
  day: ['this day or later', 'this day or earlier'],
  time: [
    'this time or later, or a day from its beginning in UTC',
    'this time or earlier, or a day to its end in UTC',
  ],
} as const;

/** Meanings of values whose labels say more than they do. */
function meaningsOf({ values = [], labels = {} }: ListField): string {
  const differing = values.flatMap((value) => {
    const { [value]: label = value } = labels;
    return label.toLowerCase() === value.toLowerCase() ? [] : [`\`${value}\`: ${label}`];
  });
  return differing.length === 0 ? '' : ` ${differing.join(', ')}.`;
}

function shapeOf(name: string, field: ListField): [string, z.ZodType][] {
  const { kind, values, ids, levels, label } = field;
  if (kind === 'text') return [];
  const free = ids ? z.union([Id, z.literal(notAvailable)]) : z.string().max(500);
  const known = values ? z.enum([...values, notAvailable]) : free;
  const named = kind === 'choice' || values ? known : z.literal(notAvailable);
  const chosen = kind === 'choice' || values ? 'one of these values; ' : '';
  const filter = many(named as z.ZodType<string>)
    .optional()
    .describe(`${label}: ${chosen}\`${notAvailable}\` for rows without a value.${meaningsOf(field)}`);
  if (kind === 'choice' && !levels) return [[name, filter]];
  const [least, greatest] = bounds[kind];
  const [from, upTo] = boundTexts[kind];
  return [
    [name, filter],
    [`${name}Min`, least.optional().describe(`${label}: ${from}.`)],
    [`${name}Max`, greatest.optional().describe(`${label}: ${upTo}.`)],
  ];
}

const sortText = 'Name of a field; with a minus sign descending. Rows without a value come last.';

/** Which page of a list is read. */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Number of the page, from 1 on.'),
  pageSize: z.coerce.number().int().min(1).max(500).default(50).describe('Rows of a page.'),
};

const described = (schema: z.ZodType, text: string | undefined): z.ZodType =>
  text === undefined ? schema : schema.describe(text);

/**
 * The schemas of the queries that a list accepts.
 * @param extra filters beyond the list's own fields
 */
export function listSchemas<F extends ListFields, const E extends Extra = {}>(
  { fields, standard, sortNames = {} }: List<F>,
  extra?: E,
): ListSchemas<F, E> {
  const optionalExtra = Object.fromEntries(
    Object.entries(extra ?? {}).map(([name, schema]) => [
      name,
      described(schema.optional(), schema.description),
    ]),
  );
  const filterShape = {
    search: searchText.optional().describe('A text that the columns of a row contain, in any case.'),
    ids: many(Id).optional().describe('Only these rows.'),
    ...Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => shapeOf(name, field))),
    ...optionalExtra,
  };
  const sortable = Object.keys(fields).filter((name) => fields[name]?.sortable !== false);
  const accepted = [...sortable, ...Object.keys(sortNames)];
  const sort = z
    .string()
    .regex(new RegExp(`^-?(${accepted.join('|')})$`, 'u'), `Sortable by: ${sortable.join(', ')}`)
    .overwrite((text) => text.replace(/\w+$/u, (name) => sortNames[name] ?? name))
    .default(standard);
  const exportLimit = [
    sortText,
    'An export is read in steps: a row whose value of this field changes meanwhile may be missing or in it twice.',
    ...(sortable.includes('createdAt') ? ['`createdAt` never changes.'] : []),
  ].join(' ');
  // If a filter with a misspelt name were ignored, every row would be returned, or selected.
  const filter = z.strictObject(filterShape);
  const schemas = {
    filter,
    query: filter.extend({
      ...pageQuery,
      sort: sort.describe(sortText),
      cursor: z
        .string()
        .max(longestCursor)
        .optional()
        .describe('The `nextCursor` of the page before, with the same filters and order.'),
      total: z
        .literal('exact')
        .optional()
        .describe('Counts all matching rows, however many: the cost grows with them.'),
    }),
    facetsQuery: filter.extend({
      field: many(z.enum(Object.keys(fields) as [string, ...string[]]))
        .optional()
        .describe('The fields whose values are wanted. Absent: all.'),
      facetSearch: z
        .string()
        .max(200)
        .optional()
        .describe('Only values that contain this text, in any case.'),
    }),
    exportQuery: filter.extend({
      sort: sort.describe(exportLimit),
      format: z.enum(['csv', 'json']).default('csv').describe('Form of the reply.'),
      columns: z
        .string()
        .max(1000)
        .optional()
        .describe('Names of fields, separated by commas, in the order wanted. Absent: all.'),
    }),
    selection: z
      .object({
        ids: z.array(Id).min(1).max(1000).optional(),
        filter: filter.optional(),
      })
      .refine(({ ids, filter: by }) => (ids === undefined) !== (by === undefined), {
        path: ['ids'],
        message: 'Send either ids or a filter.',
      }),
  };
  return schemas as unknown as ListSchemas<F, E>;
}

/** Fields of every list reply in addition to its rows. `nextCursor` is null on the last page. */
/** An exported list: rows with the columns that were asked for. */
export const Exported = {
  'text/csv': z.string(),
  'application/json': z.array(z.record(z.string(), z.unknown())),
} as const;

export const listFields = { ...pageFields, nextCursor: z.string().nullable() };

/** Distinct values and counts of the requested fields, each under the filters of the others. */
export const Facets = z.object({
  facets: z.record(
    z.string(),
    z.object({
      /** Most frequent first, at most 200; `N/A` for empty. */
      values: z.array(
        z.object({
          value: z.string(),
          label: z.string().optional().describe('Label of a value that is an identifier.'),
          count: z.int(),
        }),
      ),
      more: z.boolean().describe('There are more values than these.'),
      /**
       * More than `mostCounted` rows match: those among the newest rows were counted, so that a count is the least
       * possible. A count of 0 belongs to a value that only older rows have. The range is that of the whole list; it is
       * absent where no index holds it.
       */
      isCapped: z.literal(true).optional(),
      min: z
        .union([z.number(), z.string()])
        .nullable()
        .optional()
        .describe('Of a number or time: the least and the greatest.'),
      max: z.union([z.number(), z.string()]).nullable().optional(),
    }),
  ),
});
export type Facets = z.infer<typeof Facets>;
