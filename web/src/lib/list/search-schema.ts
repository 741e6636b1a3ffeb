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
  /** Names of the parameters. */
  readonly names: readonly string[];
  parse(raw: unknown): State;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'riskboard';
    readonly validate: (raw: unknown) => { readonly value: State };
    readonly types?: { readonly input: Given; readonly output: State };
  };
}

/**
 * Schema of a shape; other parameters are ignored. For the router, each parameter of the URL that is invalid or not in
 * the shape is set to undefined: it would otherwise keep the raw value (a `next` that leads to another site, or a filter
 * that the API refuses).
 */
export function searchSchema<const S extends SearchShape>(shape: S): SearchSchema<SearchOf<S>> {
  const names = Object.keys(shape);
  function parse(raw: unknown): SearchOf<S> {
    const given = (raw ?? {}) as Record<string, unknown>;
    const entries = Object.entries(shape).map(([name, read]) => [
      name,
      read(Object.hasOwn(given, name) ? given[name] : undefined),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as SearchOf<S>;
  }
  function validate(raw: unknown): { value: SearchOf<S> } {
    const given = Object.keys(raw ?? {}).map((name) => [name, undefined]);
    return { value: { ...Object.fromEntries(given), ...parse(raw) } };
  }
  return { names, parse, '~standard': { version: 1, vendor: 'riskboard', validate } };
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

/** A text that the API accepts: it refuses NUL (contract, HTTP). */
export const string: Read<string | undefined> = (raw) =>
  typeof raw === 'string' && !raw.includes('\0') ? raw : undefined;

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
const iso =
  /^(?!0000)\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

/** Whether a timestamp is in the years 1 to 9999 in UTC too: the API keeps no others. */
const isKept = (value: string) => /^(?!0000)\d{4}-/u.test(new Date(value).toISOString());

const isDay = (value: string) => {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(value) : Number.NaN;
  // `Date` reads February 30 as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** A calendar day as a date input writes it; rejects years that are still being typed. */
export const day = only(string, (value) => isDay(value) && value >= '1970');

/** A day or a timestamp. */
export const dayOrMoment: Read<string | undefined> = (raw) =>
  day(raw) ?? only(string, (value) => iso.test(value) && isDay(value.slice(0, 10)) && isKept(value))(raw);
