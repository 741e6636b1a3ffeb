/**
 * Schemas of URL parameters, without a library because they load before the first page. An invalid parameter is never
 * an error; it counts as absent.
 */

/** Parses a parameter; undefined when it is absent or invalid. */
export type Read<T> = (raw: unknown) => T;

export type SearchShape = Readonly<Record<string, Read<unknown>>>;

type Optional<S extends SearchShape> = {
  [K in keyof S]: undefined extends ReturnType<S[K]> ? K : never;
}[keyof S];

/** Result of a shape; absent optional fields are omitted. */
export type SearchOf<S extends SearchShape> = {
  [K in Exclude<keyof S, Optional<S>>]: ReturnType<S[K]>;
} & { [K in Optional<S>]?: ReturnType<S[K]> };

/** Parses the search part of a URL; a Standard Schema for the router. `Given`: the input type of links. */
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
 * Schema of a shape; other parameters are ignored. An invalid parameter is set to undefined and not omitted: the
 * router would otherwise keep the raw value (a `next` that leads to another site).
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

/** The field, or its default. */
export const orElse =
  <T>(read: Read<T | undefined>, standard: NoInfer<T>): Read<T> =>
  (raw) =>
    read(raw) ?? standard;

/** A field with an additional condition. */
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

/** The router parses `?search=2024` as a number; this field is always text. */
export const text: Read<string | undefined> = (raw) =>
  typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : string(raw);

export const textUpTo = (most: number) => only(text, (value) => value.length <= most);

/** A finite number. */
export const number: Read<number | undefined> = (raw) => {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** Page number, from 1. */
export const page = only(number, (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000);

/** UUID (RFC 9562). */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/iu;
export const id = only(string, (value) => uuid.test(value));

/** A timestamp in ISO 8601 with offset, as the API accepts it. */
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u;

const isDay = (value: string) => {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(value) : Number.NaN;
  // `Date` reads February 30 as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** A calendar day as a date input writes it; rejects years that are still being typed. */
export const day = only(string, (value) => isDay(value) && value >= '1970');

/** A day or a timestamp. */
export const dayOrMoment: Read<string | undefined> = (raw) =>
  day(raw) ??
  only(
    string,
    (value) => iso.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  )(raw);
