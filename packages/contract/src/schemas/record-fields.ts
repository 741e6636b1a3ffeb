import { z } from 'zod';
import { Id, isKept } from './common.ts';

/**
 * Text as the database can hold it. Half a surrogate pair, which no UTF-8 can say, becomes U+FFFD as in any other text
 * that is decoded; NUL is refused, for no form makes one.
 */
const storable = () =>
  z
    .string()
    .overwrite((text) => text.toWellFormed())
    .refine((text) => !text.includes('\0'), 'Text must not contain NUL characters.');
const shortText = () => storable().trim().max(500, 'Use at most 500 characters.');
const longText = () => storable().trim().max(100_000, 'Use at most 100,000 characters.');

/** A name is looked up by an index; 500 characters fit one. */
export const Name = shortText().min(1, 'Enter a name.');
export const Description = longText().min(1, 'Enter a description.');
/** Optional text: empty when blank (spec 5). */
export const Text = longText();
export const ShortText = shortText();

/** A number field of a form: a number, or an empty string when blank (spec 5). */
const orBlank = <T extends z.ZodType<number>>(schema: T) =>
  z.union([schema, z.literal(''), z.null()]).transform((value) => (value === '' ? null : value));

const between = (min: number, max: number) =>
  z.number(`Enter a number from ${min} to ${max}.`).min(min, `At least ${min}.`).max(max, `At most ${max}.`);

export const optionalNumber = (min: number, max: number) => orBlank(between(min, max));
export const wholeNumber = (min: number, max: number) =>
  between(min, max).refine(Number.isInteger, 'Enter a whole number.');
export const optionalWhole = (min: number, max: number) => orBlank(wholeNumber(min, max));
/** CVSS: 0 to 10, step 0.1 (spec 5). */
export const optionalTenths = (min: number, max: number) =>
  orBlank(
    between(min, max).refine(
      (value) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-9,
      'Use steps of 0.1.',
    ),
  );
/** 1 to 10, required (spec 5, Vulnerability). */
export const requiredNumber = between;

/** A date or moment as an ISO text. */
export const requiredTime = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Enter a date.')
  .transform((text) => new Date(text).toISOString())
  .refine(isKept, 'Enter a date.');
/** The same, null when blank. */
export const optionalTime = z.union(
  [requiredTime, z.literal('').transform(() => null), z.null()],
  'Enter a date.',
);

/** Related records by id, or as objects that name themselves (spec 3, relatedAssets). */
export const RelatedIds = z
  .array(z.union([Id, z.object({ _id: Id }).transform((record) => record._id)]))
  .max(1000)
  .transform((ids) => [...new Set(ids)]);

/** A related record by name. */
export const Related = z.object({ _id: Id, name: z.string(), description: z.string() });
export type Related = z.infer<typeof Related>;
