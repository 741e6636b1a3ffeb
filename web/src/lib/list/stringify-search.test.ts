import { defaultParseSearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { stringifySearch } from './stringify-search.ts';

/** Parses a search string with the router's parser and the list's schema. */
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
  ])('writes and parses %j without a change', (values) => {
    const read: Record<string, unknown> = defaultParseSearch(stringifySearch({ field: values }));
    expect(texts(read['field'])).toEqual(values);
  });
});
