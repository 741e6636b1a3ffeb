import { describe, expect, it } from 'vitest';
import { activityQueryOf, activitySearch, exportQueryOf, isFiltered } from './activity-search.ts';

const searchOf = (search: object) => activitySearch.parse(search);

describe('the log in the address', () => {
  it.each([
    ['an area that is none', { noun: 'cats' }],
    ['a person that is none', { actorId: 'ada' }],
    ['a day that is none', { from: '2026-02-30' }],
    ['a year that is still being typed', { to: '0020-01-01' }],
    ['a sorting that is none', { sort: 'actor' }],
    ['a page that is none', { page: 0 }],
  ])('passes over %s', (_what, search) => {
    expect(searchOf(search)).toEqual(searchOf({}));
  });

  it('asks for whole days in the time zone of the reader', () => {
    const { atMin, atMax } = activityQueryOf(searchOf({ from: '2026-03-29', to: '2026-03-29' }));
    expect(atMin).toBe(new Date(2026, 2, 29).toISOString());
    expect(atMax).toBe(new Date(2026, 2, 29, 23, 59, 59, 999).toISOString());
  });

  it('sends no day that is not set, and nothing of pages with an export', () => {
    const query = activityQueryOf(searchOf({ page: 3, search: 'apt' }));
    expect(query).toMatchObject({ page: 3, search: 'apt' });
    expect(Object.keys(query)).not.toEqual(expect.arrayContaining(['atMin', 'from']));
    expect(exportQueryOf(searchOf({ page: 3, search: 'apt', noun: 'jobs', to: '2026-01-01' }))).toEqual({
      search: 'apt',
      noun: 'jobs',
      atMax: new Date(2026, 0, 1, 23, 59, 59, 999).toISOString(),
    });
  });

  it('is filtered by anything but its order and pages', () => {
    expect(isFiltered(searchOf({ page: 2, pageSize: 50, sort: 'at' }))).toBe(false);
    for (const search of [{ search: 'x' }, { noun: 'jobs' }, { action: 'x' }, { to: '2026-01-01' }])
      expect([search, isFiltered(searchOf(search))]).toEqual([search, true]);
  });
});
