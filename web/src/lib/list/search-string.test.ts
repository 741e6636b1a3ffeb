import { defaultStringifySearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { text } from './search-schema.ts';
import { parseSearch, stringifySearch } from './search-string.ts';

/** The values of a parameter, as a list reads them. */
const texts = (value: unknown) => [value].flat().map(String);

describe('stringifySearch', () => {
  it.each([
    [{}, ''],
    [{ page: 2, search: 'log 4' }, '?page=2&search=log+4'],
    [{ severity: ['critical', 'high'] }, '?severity=critical&severity=high'],
    [{ severity: ['critical'], page: 2 }, '?page=2&severity=critical'],
    [{ categoryId: ['1'] }, '?categoryId=1'],
    [{ cveId: ['N/A'] }, '?cveId=N%2FA'],
    [{ severity: undefined }, ''],
    [{ severity: [] }, ''],
  ])('writes %j as %s', (search, expected) => {
    expect(stringifySearch(search)).toBe(expected);
  });

  it.each([
    [['critical']],
    [['1', '2']],
    [['1']],
    [['1e3']],
    [['007']],
    [['true']],
    [['null']],
    [['[1]']],
    [['"quoted"']],
    [['a&b=c', 'd e']],
    [['1e3', '007', 'null', '[1]']],
    [['12345678901234567890']],
    [['10.0']],
    [['"10.0"']],
    [['"\\"10.0\\""']],
    [['']],
    [['', '10.0']],
  ])('writes and parses %j without a change', (values) => {
    const read: Record<string, unknown> = parseSearch(stringifySearch({ field: values }));
    expect(texts(read['field'])).toEqual(values);
  });
});

/** Texts that the router's own parser would change. */
const typed = [
  '10.0',
  '007',
  '1e3',
  '-0',
  '0x10',
  'true',
  'null',
  '[1]',
  '{"a":1}',
  '"log4j"',
  '  7',
  '1.50',
];

const searched = (search: string) => text((parseSearch(search) as Record<string, unknown>)['search']);

describe('parseSearch', () => {
  it.each(typed)('reads %s as the text that was typed', (value) => {
    expect(searched(`?search=${encodeURIComponent(value)}`)).toBe(value);
    expect(searched(stringifySearch({ search: value }))).toBe(value);
  });

  it.each(typed)('reads %s from a link that the router has written', (value) => {
    expect(searched(defaultStringifySearch({ search: value }))).toBe(value);
  });
});
