import { describe, expect, it } from 'vitest';
import {
  day,
  dayOrMoment,
  id,
  number,
  only,
  orElse,
  page,
  searchSchema,
  string,
  text,
} from './search-schema.ts';

describe('a search schema', () => {
  const schema = searchSchema({ page: orElse(page, 1), next: only(string, (next) => next.startsWith('/')) });

  it('reads its own parameters and ignores others', () => {
    expect(schema.parse({ page: '2', next: '/x', evil: 1 })).toEqual({ page: 2, next: '/x' });
  });

  it('sets invalid and unknown parameters of a URL to undefined, so that the router drops them', () => {
    const { value } = schema['~standard'].validate({ next: 'https://evil.example', evil: 1 });
    expect(Object.entries(value)).toEqual([
      ['next', undefined],
      ['evil', undefined],
      ['page', 1],
    ]);
    expect(Object.keys(schema.parse({ next: 'https://evil.example', evil: 1 }))).toEqual(['page']);
  });

  it.each([null, undefined, 'x', 7])('reads %j as an empty search', (raw) => {
    expect(schema.parse(raw)).toEqual({ page: 1 });
  });

  it('reads no names from the prototype', () => {
    expect(searchSchema({ toString: text, constructor: text }).parse({})).toEqual({});
  });

  it('is a Standard Schema', () => {
    expect(schema['~standard'].validate({ page: 3 })).toEqual({ value: { page: 3 } });
  });
});

describe('a search field', () => {
  it.each([
    [number, '7.5', 7.5],
    [number, '', undefined],
    [number, 'Infinity', undefined],
    [number, true, undefined],
    [page, 1.5, undefined],
    [page, 1_000_001, undefined],
    [text, 2024, '2024'],
    [text, { a: 1 }, undefined],
    [id, '0199f000-0000-7000-8000-000000000001', '0199f000-0000-7000-8000-000000000001'],
    [id, '0199f000-0000-0000-8000-000000000001', undefined],
    [id, 'x0199f000-0000-7000-8000-000000000001', undefined],
    [day, '2024-02-29', '2024-02-29'],
    [day, '2023-02-29', undefined],
    [day, '0002-02-01', undefined],
    [day, '2024-02-29T00:00:00Z', undefined],
    [dayOrMoment, '2026-11-01T10:00:00.5+02:00', '2026-11-01T10:00:00.5+02:00'],
    [dayOrMoment, '2026-11-01T10:00:00', undefined],
    [dayOrMoment, '2026-02-30T10:00:00Z', undefined],
    [dayOrMoment, '2026-11-01T25:00:00Z', undefined],
    [dayOrMoment, '2026-11-01T24:00:00Z', undefined],
    [dayOrMoment, '2026-11-01T10:00Z', undefined],
    [dayOrMoment, '0000-11-01T10:00:00Z', undefined],
    [dayOrMoment, '0001-01-01T10:00:00+14:00', undefined],
    [dayOrMoment, '9999-12-31T23:00:00-05:00', undefined],
    [text, 'log\u00004j', undefined],
  ])('%# parses %j to %j', (read, raw, expected) => {
    expect(read(raw)).toBe(expected);
  });
});
