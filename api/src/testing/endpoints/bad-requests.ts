import type { ServedEndpoint } from '@riskboard/contract';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { requestOf } from './endpoints.ts';

interface Property {
  type?: string;
  anyOf?: Property[];
}

/** Names of the fields of a body or query, the optional ones too. */
function fieldsOf(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>;
  };
  return Object.keys(properties);
}

/** Texts that no field may have. */
const brokenTexts = ['half \ud83d pair', '\udc00', 'nul \0 character'];

/** More than recursive code can follow. */
const levels = 8000;

/** Values of wrong types; each is valid for some fields. */
const wrongTexts = ['', 'x', '-1', 'x'.repeat(5000)];
const wrongValues = [null, {}, [], [[]], { $ne: 1 }, -1e308, 'x'.repeat(30_000), true];

/** One request, and the fields that it must be refused for; null where it may be accepted. */
export interface BadRequest {
  request: InjectOptions;
  refusedAt: readonly string[] | null;
}

/** Requests whose texts are broken in every field, that have one wrong value, or whose whole body is wrong. */
export function badRequests(endpoint: ServedEndpoint, id: string): BadRequest[] {
  const { method, query, body } = endpoint;
  const valid = requestOf(endpoint, id);
  const [path = ''] = valid.url.split('?');
  const inQuery = query ? fieldsOf(query) : [];
  const inBody = body ? fieldsOf(body) : [];
  const all = (names: readonly string[], value: unknown) => names.map((name) => [name, value] as const);

  const withQuery = (text: string): InjectOptions => ({
    ...valid,
    url: `${path}?${new URLSearchParams(all(inQuery, text) as [string, string][]).toString()}`,
  });
  const withBody = (payload: unknown): InjectOptions => ({
    method,
    url: valid.url,
    // As text: JSON.stringify escapes a lone surrogate, and cannot write many levels.
    payload: JSON.stringify(payload).replaceAll('"deep"', '['.repeat(levels) + ']'.repeat(levels)),
    headers: { 'content-type': 'application/json' },
  });

  const queries: BadRequest[] = [
    { request: withQuery('nul \0 character'), refusedAt: inQuery },
    ...wrongTexts.map((text) => ({ request: withQuery(text), refusedAt: null })),
  ];
  const bodies: BadRequest[] = [
    ...[...brokenTexts, 'deep'].map((text) => ({
      request: withBody(Object.fromEntries(all(inBody, text))),
      refusedAt: inBody,
    })),
    {
      request: withBody(Object.fromEntries(all(inBody, [brokenTexts[0]]))),
      refusedAt: inBody.map((name) => `${name}.0`),
    },
    ...inBody.map((name, index) => ({
      request: withBody({ ...(valid.body as object), [name]: wrongValues[index % wrongValues.length] }),
      refusedAt: null,
    })),
    ...[[], 'text', 7, null, true, {}, [{}]].map((whole) => ({ request: withBody(whole), refusedAt: null })),
  ];
  return [...(query ? queries : []), ...(body ? bodies : [])];
}
