import { describe, expect, it } from 'vitest';
import { listSearch, queryOf, withChange } from './list-search.ts';

const schema = listSearch(['name', 'size'], '-name', {});
const standard = { page: 1, pageSize: 10, sort: '-name', search: '' };

describe('listSearch', () => {
  it.each([
    ['nothing', {}, standard],
    [
      'a valid state',
      { page: '3', pageSize: 50, sort: 'size', search: 'apt' },
      { page: 3, pageSize: 50, sort: 'size', search: 'apt' },
    ],
    ['nonsense', { page: -2, pageSize: 11, sort: 'password', search: { a: 1 } }, standard],
    ['a search that reads as a number', { search: 2024 }, { ...standard, search: '2024' }],
  ])('%s', (_name, input, expected) => {
    expect(schema.parse(input)).toEqual(expected);
  });
});

describe('withChange', () => {
  const third = schema.parse({ page: 3, search: 'apt' });

  it('goes back to page 1 on any change of search, size or sorting (spec 5, Lists)', () => {
    expect(withChange(third, { search: 'x' }).page).toBe(1);
    expect(withChange(third, { pageSize: 50 }).page).toBe(1);
    expect(withChange(third, { sort: 'size' }).page).toBe(1);
  });

  it('turns the page and keeps the rest', () => {
    expect(withChange(third, { page: 4 })).toEqual({ ...third, page: 4 });
  });
});

describe('queryOf', () => {
  it('does not ask for an empty search', () => {
    expect(queryOf(schema.parse({}))).not.toHaveProperty('search');
    expect(queryOf(schema.parse({ search: 'apt' }))).toHaveProperty('search', 'apt');
  });
});
