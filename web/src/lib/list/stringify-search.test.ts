import { defaultParseSearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { stringifySearch } from './stringify-search.ts';

/** What the list's schema makes of whatever the router has read. */
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
  ])('%j is %s', (search, expected) => {
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
  ])('%j comes back as it went', (values) => {
    const read: Record<string, unknown> = defaultParseSearch(stringifySearch({ field: values }));
    expect(texts(read['field'])).toEqual(values);
  });
});
