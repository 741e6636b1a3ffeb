import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { defineList, errors, roles } from './index.ts';
import { contract, Job, listSchemas, OrganizationEvent, ServerMessage } from './schemas/index.ts';
import type { ServedEndpoint } from './endpoint.ts';

const everything: [string, ServedEndpoint][] = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, endpoint]): [string, ServedEndpoint] => [`${noun}.${name}`, endpoint]),
);

describe('the table of endpoints', () => {
  it('has each method and path once', () => {
    const addresses = everything.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/gu, ':')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(everything)('%s declares its summary, access, input and reply', (_name, endpoint) => {
    expect(endpoint.summary).not.toBe('');
    expect(['public', 'self', ...roles]).toContain(endpoint.access);
    // A public endpoint cannot require a session.
    expect(endpoint.access === 'public' && endpoint.sessionOnly).toBeFalsy();
    expect(Object.keys(endpoint.reply).length).toBeGreaterThan(0);
    expect(endpoint.path.includes('/:')).toBe(endpoint.params !== undefined);
    expect(endpoint.method === 'GET' && endpoint.body !== undefined).toBe(false);
  });

  it('refuses unknown parameters in every query: without a misspelt filter, every row would be returned', () => {
    const lenient = everything.filter(
      ([, { query }]) => query && z.toJSONSchema(query, { io: 'input' }).additionalProperties !== false,
    );
    expect(lenient.map(([name]) => name)).toEqual([]);
  });

  it('declares total, page and pageSize in the reply of every list', () => {
    const lists = everything.filter(
      ([, { query }]) => query && 'pageSize' in (z.toJSONSchema(query, { io: 'input' }).properties ?? {}),
    );
    expect(lists.length).toBeGreaterThanOrEqual(6);
    for (const [name, { reply }] of lists) {
      const { required = [] } = z.toJSONSchema(reply[200] as z.ZodType);
      expect([name, required]).toEqual([name, expect.arrayContaining(['total', 'page', 'pageSize'])]);
    }
  });
});

describe('a list query', () => {
  const { query, facetsQuery, exportQuery } = listSchemas(
    defineList(
      {
        name: { label: 'Name', kind: 'text' },
        createdAt: { label: 'Created At', kind: 'time' },
        risk: { label: 'Risk', kind: 'choice', sortable: false },
      },
      '-createdAt',
    ),
  );

  it('defaults to a page of 50, newest first', () => {
    expect(query.parse({})).toEqual({ page: 1, pageSize: 50, sort: '-createdAt' });
    expect(query.parse({ page: '3', pageSize: '500', sort: 'name', search: 'x' })).toEqual({
      page: 3,
      pageSize: 500,
      sort: 'name',
      search: 'x',
    });
  });

  it.each([
    { page: '0' },
    { pageSize: '501' },
    { pageSize: '1.5' },
    { sort: '--name' },
    { sort: 'nam' },
    { sort: 'risk' },
    { sort: 'name,createdAt' },
  ])('refuses %j', (bad) => {
    expect(query.safeParse(bad).success).toBe(false);
  });

  it.each([{ rsik: 'high' }, { 'risk[]': 'high' }, { createdAtMinimum: '2026-01-01' }])(
    'refuses %j, as do facets and exports: ignored filters would return every row',
    (unknown) => {
      const keys = Object.keys(unknown);
      for (const schema of [query, facetsQuery, exportQuery])
        expect(schema.safeParse(unknown).error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys }]);
    },
  );
});

it('every error has a status, its phrase and a message', () => {
  for (const [code, { status, error, fallback }] of Object.entries(errors)) {
    expect([code, status >= 400 && status < 600]).toEqual([code, true]);
    expect(error).toMatch(/^[A-Z]/u);
    expect(fallback).toMatch(/\.$/u);
  }
});

it('every organization event is a valid server message', () => {
  const change = { count: 1, action: 'created', by: null };
  for (const { shape } of OrganizationEvent.options.slice(1)) {
    const message = { type: shape.type.value, ...change };
    expect(ServerMessage.safeParse(message).success).toBe(true);
    expect(ServerMessage.safeParse({ ...message, ids: Array(101).fill(crypto.randomUUID()) }).success).toBe(
      false,
    );
  }
});

it.each([
  { matched: 2, changed: 1, unchanged: 1, skipped: [], cwssScore: 71.3 },
  { matched: 2, changed: 1, unchanged: 1, skipped: [] },
  { matched: 2, changed: 2, unchanged: 0 },
  {
    matched: 2,
    changed: 2,
    unchanged: 0,
    skipped: [],
    restorable: 'threats',
    deletedAt: '2026-11-29T20:00:00.123456Z',
  },
])('a job keeps every field of its result: %j', (result) => {
  expect(Job.shape.result.parse(result)).toEqual(result);
});
