import type { ServedEndpoint } from '@riskboard/contract';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { inlined, type JsonSchema } from './json-schema.ts';

/** Texts that have broken programs: encodings, formats, injections, names of properties that every object has. */
const strangeTexts = [
  '',
  ' ',
  '\0',
  '\ud83d',
  '\u202Egnp.exe',
  '\uFEFF',
  'İ',
  'ﷺ'.repeat(40),
  'e\u0301'.repeat(300),
  '👩‍👩‍👧‍👦',
  '%',
  '%00',
  '%E0%A4%A',
  '..%2f..%2f',
  '../../etc/passwd',
  "'; drop table vulnerability; --",
  '\\',
  '%_\\',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30',
  '0000-00-00',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:60Z',
  '2026-01-01T00:00:00',
  'x'.repeat(10_001),
];

const strangeNumbers = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
];

const text = fc.oneof(
  fc.constantFrom(...strangeTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

/** JSON of any shape. */
const anything = fc.oneof(
  text,
  fc.constantFrom(...strangeNumbers),
  fc.constantFrom(null, true, false),
  fc.constantFrom([], {}, [null], [[]], { length: 1e9 }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 4 }),
);

type Anything = fc.Arbitrary<unknown>;

/** Both ends of a length or range, beyond them, and what lies between. */
const around = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(least, most, least - 1, most + 1),
    fc.integer({ min: Math.ceil(least), max: Math.floor(most) }),
  );

/** Values that a schema accepts or almost accepts; every identifier is one of `ids`. */
function valueOf(schema: JsonSchema, ids: Anything): Anything {
  if (schema.format === 'uuid') return ids;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, ids)));
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((part) => valueOf(part, ids)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  return byType[schema.type ?? '']?.(schema, ids) ?? anything;
}

/** One value in six does not follow the schema. */
const nearly = (schema: JsonSchema, ids: Anything): Anything =>
  fc.oneof({ weight: 5, arbitrary: valueOf(schema, ids) }, { weight: 1, arbitrary: anything });

const byType: Record<string, (schema: JsonSchema, ids: Anything) => Anything> = {
  object: ({ properties = {}, required = [], additionalProperties }, ids) => {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, nearly(property, ids)]),
    );
    const known = fc.record(fields, { requiredKeys: required });
    if (typeof additionalProperties !== 'object') return known;
    const others = fc.dictionary(text, nearly(additionalProperties, ids), { maxKeys: 4 });
    return fc.tuple(known, others).map(([one, more]) => ({ ...one, ...more }));
  },
  array: ({ items = {}, minItems = 0, maxItems = 8 }, ids) =>
    fc.array(nearly(items, ids), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 8) }),
  string: ({ minLength = 0, maxLength = 300, format }) =>
    fc.oneof(
      text,
      around(minLength, Math.min(maxLength, 10_001)).map((length) => 'x'.repeat(Math.max(0, length))),
      ...(format === 'email' ? [fc.emailAddress()] : []),
      ...(format === 'date-time' ? [fc.date().map((date) => date.toJSON() ?? '')] : []),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    ),
  integer: ({ minimum = -10, maximum = 1e6 }) =>
    fc.oneof(around(minimum, maximum), fc.constantFrom(...strangeNumbers)),
  number: ({ minimum = -10, maximum = 1e6 }) =>
    fc.oneof(around(minimum, maximum), fc.double({ noNaN: true }), fc.constantFrom(...strangeNumbers)),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
};

/** A value as a parameter of a URL. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Encodes a path segment; a lone surrogate cannot be encoded. */
const segment = (value: string): string => encodeURIComponent(value.toWellFormed());

/** The query, where a parameter may also occur twice. */
function searchOf(query: unknown, repeat: boolean): string {
  const parameters = Object.entries((query ?? {}) as Record<string, unknown>);
  const pairs = parameters.map(([name, value]): [string, string] => [name, asText(value).toWellFormed()]);
  const search = new URLSearchParams(repeat ? [...pairs, ...pairs.slice(0, 1)] : pairs).toString();
  return search === '' ? '' : `?${search}`;
}

/** Requests to an endpoint that follow its schemas or almost do, with these identifiers in path, query and body. */
export function arbitraryRequest(
  endpoint: ServedEndpoint,
  identifiers: readonly string[],
): fc.Arbitrary<InjectOptions & { url: string }> {
  const { method, path, query, body } = endpoint;
  const ids = fc.constantFrom(...identifiers);
  const nearlyIds = fc.oneof({ weight: 6, arbitrary: ids }, { weight: 1, arbitrary: text });
  const parts = {
    segments: fc.array(fc.oneof({ weight: 6, arbitrary: ids }, fc.constantFrom('1', '-1'), text), {
      minLength: 3,
      maxLength: 3,
    }),
    query: query ? valueOf(inlined(query), nearlyIds) : fc.constant(undefined),
    repeat: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    body: body ? nearly(inlined(body), nearlyIds) : fc.constant(undefined),
  };
  return fc.record(parts).map((made) => {
    let at = 0;
    const filled = path.replaceAll(/:\w+/gu, () => segment(made.segments[at++] ?? ''));
    const url = `${filled}${searchOf(made.query, made.repeat)}`;
    if (!body) return { method, url };
    // As text, so that it is sent as it is.
    return {
      method,
      url,
      payload: JSON.stringify(made.body),
      headers: { 'content-type': 'application/json' },
    };
  });
}
