/**
 * What may stand in an address, without a library: it is read before a page shows. Nothing here refuses an address;
 * what is not valid is as if it were not there.
 */

/** Reads a field; undefined: there is nothing valid. */
export type Read<T> = (raw: unknown) => T;

export type SearchShape = Readonly<Record<string, Read<unknown>>>;

type Optional<S extends SearchShape> = {
  [K in keyof S]: undefined extends ReturnType<S[K]> ? K : never;
}[keyof S];

/** What a shape reads. A field that may be absent is left out then. */
export type SearchOf<S extends SearchShape> = {
  [K in Exclude<keyof S, Optional<S>>]: ReturnType<S[K]>;
} & { [K in Optional<S>]?: ReturnType<S[K]> };

/** Reads the search part of an address; a Standard Schema, which the router takes. `Given`: what links may say. */
export interface SearchSchema<State, Given = Partial<State>> {
  parse(raw: unknown): State;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'riskboard';
    readonly validate: (raw: unknown) => { readonly value: State };
    readonly types?: { readonly input: Given; readonly output: State };
  };
}

/**
 * Schema of a shape; of names that are not in it nothing is read. What is not valid is undefined and not left out: the
 * router would let the raw value stand (a `next` that leads to another site).
 */
export function searchSchema<const S extends SearchShape>(shape: S): SearchSchema<SearchOf<S>> {
  function parse(raw: unknown): SearchOf<S> {
    const given = (raw ?? {}) as Record<string, unknown>;
    const entries = Object.entries(shape).flatMap(([name, read]) => {
      const isGiven = Object.hasOwn(given, name);
      const value = read(isGiven ? given[name] : undefined);
      return isGiven || value !== undefined ? [[name, value]] : [];
    });
    return Object.fromEntries(entries) as SearchOf<S>;
  }
  return {
    parse,
    '~standard': { version: 1, vendor: 'riskboard', validate: (raw) => ({ value: parse(raw) }) },
  };
}

/** The field, or what stands in its place. */
export const orElse =
  <T>(read: Read<T | undefined>, standard: NoInfer<T>): Read<T> =>
  (raw) =>
    read(raw) ?? standard;

/** A field that also has to be so. */
export const only =
  <T>(read: Read<T | undefined>, isValid: (value: T) => boolean): Read<T | undefined> =>
  (raw) => {
    const value = read(raw);
    return value !== undefined && isValid(value) ? value : undefined;
  };

export const oneOf =
  <const T>(values: readonly T[]): Read<T | undefined> =>
  (raw) =>
    values.find((value) => value === raw);

export const string: Read<string | undefined> = (raw) => (typeof raw === 'string' ? raw : undefined);

/** The router reads `?search=2024` as a number; to a person it is text all the same. */
export const text: Read<string | undefined> = (raw) =>
  typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : string(raw);

export const textUpTo = (most: number) => only(text, (value) => value.length <= most);

/** A finite number. */
export const number: Read<number | undefined> = (raw) => {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** Number of a page, from 1. */
export const page = only(number, (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000);

/** UUID of RFC 9562, as every record has. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/iu;
export const id = only(string, (value) => uuid.test(value));

/** A moment in ISO 8601 with its offset, as the API takes it. */
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u;

const isDay = (value: string) => {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(value) : Number.NaN;
  // The 30th of February is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** A day of the calendar, as a date box writes it; years that are still being typed are none. */
export const day = only(string, (value) => isDay(value) && value >= '1970');

/** A day or a moment. */
export const dayOrMoment: Read<string | undefined> = (raw) =>
  day(raw) ??
  only(
    string,
    (value) => iso.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  )(raw);
