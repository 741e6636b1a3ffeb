import { formatCount, mostCwes, normalized, plainLine } from '@riskboard/domain';
import { z } from 'zod';
import { proseMax, relatedMax, relatedTextMax, textMax } from '../entities/field.ts';
import { Id, isKept } from './common.ts';

/**
 * Text in composed Unicode, which the search expects, that the database can hold: no half of a surrogate pair, which UTF-8
 * cannot encode, and no NUL.
 */
const storable = () =>
  z
    .string()
    .overwrite((text) => normalized(text))
    .refine((text) => text.isWellFormed(), 'Text must be valid Unicode.')
    .refine((text) => !text.includes('\0'), 'Text must not contain NUL characters.');

/** Text of one line as names have it; empty when blank (spec 5). Line breaks become spaces: a form's input would drop them. */
export const ShortText = storable()
  .overwrite(plainLine)
  .trim()
  .max(textMax, `Use at most ${formatCount(textMax)} characters.`);
/** Text of several lines; empty when blank. */
export const Text = storable()
  .trim()
  .max(proseMax, `Use at most ${formatCount(proseMax)} characters.`);

/** A number field of a form: a number, or an empty string when blank (spec 5). */
const orBlank = <T extends z.ZodType<number>>(schema: T) =>
  z.union([schema, z.literal(''), z.null()]).transform((value) => (value === '' ? null : value));

export const between = (min: number, max: number) =>
  z
    .number(`Enter a number from ${formatCount(min)} to ${formatCount(max)}.`)
    .min(min, `Must be ${formatCount(min)} or more.`)
    .max(max, `Must be ${formatCount(max)} or less.`);

export const optionalNumber = (min: number, max: number) => orBlank(between(min, max));
export const wholeNumber = (min: number, max: number) => between(min, max).int('Enter a whole number.');
export const optionalWhole = (min: number, max: number) => orBlank(wholeNumber(min, max));
/** CVSS: 0 to 10, step 0.1 (spec 5). */
export const optionalTenths = (min: number, max: number) =>
  orBlank(
    between(min, max)
      .refine((value) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-9, 'Use steps of 0.1.')
      .meta({ multipleOf: 0.1 }),
  );
/** A calendar day; of a timestamp, the day that is written in it, regardless of its time zone. */
export const requiredDay = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'Enter a date.')
  .transform((text) => text.slice(0, 10))
  .refine(isKept, 'Enter a date.');
/** The same, null when blank. */
export const optionalDay = z.union(
  [requiredDay, z.literal('').transform(() => null), z.null()],
  'Enter a date.',
);

/** One CWE id or several: 79, CWE-79, or both separated by commas. At most 100, as of reports. */
export const CweIds = z
  .union([z.string().max(2000), z.array(z.string().max(50)).max(100)])
  .transform((value) =>
    [value]
      .flat()
      .flatMap((text) => text.split(/[,\s]+/u))
      .filter((text) => text !== '')
      .map((text) => `CWE-${text.replace(/^(?:CWE-?)?0*/iu, '')}`),
  )
  .transform((ids) => [...new Set(ids)])
  .refine((ids) => ids.every((id) => /^CWE-\d{1,6}$/u.test(id)), 'Enter ids such as CWE-79.')
  .refine((ids) => ids.length <= mostCwes, `Enter at most ${mostCwes} ids.`);

/** Related records by id, or as objects with id and name (spec 3, relatedAssets). */
export const RelatedIds = z
  .array(z.union([Id, z.object({ _id: Id }).transform((record) => record._id)]))
  .max(relatedMax)
  .transform((ids) => [...new Set(ids)]);

/** A related record by name. */
export const Related = z.object({
  _id: Id,
  name: z.string(),
  description: z
    .string()
    .describe(`The first ${relatedTextMax} characters, followed by \`…\` where the record itself has more.`),
});
export type Related = z.infer<typeof Related>;

/** How many assets a record is related to, beside the list of them. */
export const RelatedTotal = z
  .int()
  .describe(
    `All related assets: the list has the first ${formatCount(relatedMax)} by name. With more, a change of the list is refused (422), because it would remove those that it does not have.`,
  );
