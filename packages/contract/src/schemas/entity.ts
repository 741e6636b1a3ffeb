import { formatCount } from '@riskboard/domain';
import { z } from 'zod';
import { type Field, type Fields, listTextMax } from '../entities/field.ts';
import type { BulkOf, DetailOf, EditableOf, InputValueOf, RequiredOf, RowOf } from '../entities/infer.ts';
import { Day, Id, requiredText, Time } from './common.ts';
import {
  between,
  CweIds,
  optionalDay,
  optionalNumber,
  optionalTenths,
  optionalWhole,
  Related,
  RelatedIds,
  requiredDay,
  ShortText,
  Text,
  wholeNumber,
} from './record-fields.ts';

type FieldOf<T extends Field['type']> = Extract<Field, { type: T }>;
type ByType = { readonly [T in Field['type']]: (field: FieldOf<T>) => z.ZodType };

const listedText = z
  .string()
  .describe(
    `Lists have the first ${formatCount(listTextMax)} characters, followed by \`…\` where the record itself has more.`,
  );

/** Schemas of values as the API sends them; most can be null as well. */
const outputs: ByType = {
  text: () => z.string(),
  prose: ({ list }) => (list ? listedText : z.string()),
  number: () => z.number(),
  integer: () => z.int(),
  scale: () => z.int(),
  code: () => z.int(),
  choice: ({ labels, open }) => (open ? z.string() : z.enum(Object.keys(labels))),
  flag: () => z.boolean(),
  day: () => Day,
  instant: () => Time,
  tags: () => z.array(z.string()),
  id: () => Id,
  relations: () => z.array(Related),
};

const neverNull: ReadonlySet<Field['type']> = new Set(['text', 'prose', 'flag', 'tags', 'relations']);

const schemaOf = (table: ByType, field: Field): z.ZodType =>
  (table[field.type] as (one: Field) => z.ZodType)(field);

/** What a field is: its label, with its unit, the labels of its numbers, and what its schema adds. */
function descriptionOf(field: Field, added: string | undefined): string {
  const unit = 'unit' in field && field.unit !== undefined ? ` (${field.unit})` : '';
  const numbered = field.type === 'scale' || field.type === 'code';
  const labels = numbered ? Object.entries(field.labels).map(([value, label]) => `${value} ${label}`) : [];
  const list = labels.length === 0 ? '' : `: ${labels.join(', ')}`;
  return [`${field.label}${unit}${list}.`, ...(added === undefined ? [] : [added])].join(' ');
}

const outputOf = (field: Field): z.ZodType => {
  const schema = schemaOf(outputs, field);
  const value = field.notNull || neverNull.has(field.type) ? schema : schema.nullable();
  return value.describe(descriptionOf(field, schema.description));
};

const cveId = ShortText.regex(/^([Cc][Vv][Ee]-\d{4}-\d{4,19})?$/u, 'Enter an id such as CVE-2024-12345.');

/** Whole numbers from the least to the greatest that has a label. */
function labelled({ labels, required }: FieldOf<'scale' | 'code'>): z.ZodType {
  const numbers = Object.keys(labels).map(Number);
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  return required ? wholeNumber(min, max) : optionalWhole(min, max);
}

const nonBlank = (schema: z.ZodString, field: Field): z.ZodType =>
  field.required ? requiredText(schema, `Enter a ${field.label.toLowerCase()}.`) : schema;

/** Schemas of values as a request sends them: an empty string for a number that is blank (spec 5). */
const inputs: ByType = {
  text: (field) => (field.format === 'cve' ? cveId : nonBlank(ShortText, field)),
  prose: (field) => nonBlank(Text, field),
  number({ min, max, step, required }) {
    if (required) return between(min, max);
    return step === undefined ? optionalNumber(min, max) : optionalTenths(min, max);
  },
  integer: ({ min, max, required }) => (required ? wholeNumber(min, max) : optionalWhole(min, max)),
  scale: labelled,
  code: labelled,
  choice: ({ labels }) => z.enum(Object.keys(labels)),
  flag: () => z.boolean(),
  day: ({ required }) => (required ? requiredDay : optionalDay),
  instant: () => Time,
  tags: () => CweIds,
  id: ({ label }) => z.uuid(`Choose a ${label.toLowerCase()}.`),
  relations: () => RelatedIds,
};

const pick = (fields: Fields, wanted: (field: Field) => boolean, schema: (field: Field) => z.ZodType) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (wanted(field) ? [[name, schema(field)]] : [])),
  );

type OutputShape<T> = { [K in keyof T]: z.ZodType<T[K]> };

/** The value of a field after validation. */
type ParsedOf<F extends Field> = F extends { type: 'number' | 'integer' | 'scale' | 'code' }
  ? F extends { required: true }
    ? number
    : number | null
  : F extends { type: 'tags' | 'relations' }
    ? string[]
    : InputValueOf<F>;

type InputSchema<F extends Field> = z.ZodType<ParsedOf<F>, InputValueOf<F>>;

export type NewShape<F extends Fields> = { [K in RequiredOf<F> & EditableOf<F>]: InputSchema<F[K]> } & {
  [K in Exclude<EditableOf<F>, RequiredOf<F>>]: z.ZodOptional<InputSchema<F[K]>>;
};
export type ChangeShape<F extends Fields> = { [K in EditableOf<F>]: z.ZodOptional<InputSchema<F[K]>> };
export type BulkShape<F extends Fields> = { [K in BulkOf<F>]: z.ZodOptional<InputSchema<F[K]>> };

/** A row of a list. `version`: of the record, for `If-Match`. */
export const rowSchema = <F extends Fields>(fields: F) =>
  z.object({
    _id: Id,
    version: z.int(),
    ...pick(fields, ({ list }) => list === true, outputOf),
  }) as unknown as z.ZodObject<OutputShape<RowOf<F>>>;

/** What the detail of every entity has beyond its fields. `version`: for `If-Match`. */
export const versionFields = {
  createdBy: Id.nullable(),
  updatedBy: z.string().describe('Current name of the user who changed it last; empty for reports.'),
  version: z.int(),
};

/** A record with all its fields. */
export const detailSchema = <F extends Fields>(fields: F) =>
  z.object({
    _id: Id,
    ...pick(fields, ({ list, detail }) => list === true || detail === true, outputOf),
    ...versionFields,
  }) as unknown as z.ZodObject<OutputShape<DetailOf<F>> & typeof versionFields>;

const isEditable = ({ form }: Field): boolean => form !== undefined;
const describedInput = (field: Field, schema: z.ZodType): z.ZodType =>
  schema.describe(descriptionOf(field, schema.description));
const inputOf = (field: Field): z.ZodType => describedInput(field, schemaOf(inputs, field));
const optionalInput = (field: Field): z.ZodType => describedInput(field, schemaOf(inputs, field).optional());

/** The body of a create request: the required fields, and any of the others. */
export const newSchema = <F extends Fields>(fields: F) =>
  z.object(
    pick(fields, isEditable, (field) => (field.required ? inputOf(field) : optionalInput(field))),
  ) as unknown as z.ZodObject<NewShape<F>>;

/** The body of a change: any subset of the fields. */
export const changeSchema = <F extends Fields>(fields: F) =>
  z.object(pick(fields, isEditable, optionalInput)) as unknown as z.ZodObject<ChangeShape<F>>;

/** What a bulk edit of records does to their related assets. */
export const relationChange = { addAssets: RelatedIds.optional(), removeAssets: RelatedIds.optional() };

/** What a bulk edit sets: at least one of the fields that allow it, or of `more`. */
export const bulkSchema = <F extends Fields, M extends Readonly<Record<string, z.ZodType>> = {}>(
  fields: F,
  more?: M,
) =>
  z
    .object({
      ...(pick(fields, ({ bulk }) => bulk === true, optionalInput) as unknown as BulkShape<F>),
      ...(more as M),
    })
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      'Specify at least one field to change.',
    );
