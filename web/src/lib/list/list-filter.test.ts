import type { ListFields } from '@riskboard/contract';
import { describe, expect, it, vi } from 'vitest';
import {
  cleared,
  filteredFields,
  filterOf,
  filterQuery,
  filterText,
  rangeAsLevels,
  withFilter,
} from './list-filter.ts';
import type { AnyListState } from './list-state.ts';

const fields: ListFields = {
  name: { label: 'Name', kind: 'text' },
  status: { label: 'Status', kind: 'choice' },
  cvssScore: { label: 'CVSS', kind: 'number' },
  createdAt: { label: 'Created At', kind: 'time' },
};
const initial: AnyListState = { page: 1, pageSize: 10, sort: 'name', search: '' };
const labelOf = (_field: string, value: string) => value.toUpperCase();

describe('list filters', () => {
  const narrowed: AnyListState = {
    ...initial,
    page: 3,
    search: 'apt',
    status: ['open', 'N/A'],
    cvssScoreMin: 7,
    createdAtMax: '2026-11-21',
    fileId: 'f',
    view: 'v',
  };

  it('list the filtered fields with their values', () => {
    expect(filteredFields(fields, narrowed)).toEqual(['status', 'cvssScore', 'createdAt']);
    expect(filterOf(narrowed, 'cvssScore')).toEqual({ values: [], min: 7, max: undefined });
  });

  it('are set and removed, which returns to page 1', () => {
    const set = withFilter({ ...initial, page: 3 }, 'cvssScore', { values: ['N/A'], min: 4 });
    expect(set).toEqual({ ...initial, cvssScore: ['N/A'], cvssScoreMin: 4 });
    expect(filteredFields(fields, withFilter(set, 'cvssScore', { values: [] }))).toEqual([]);
  });

  it('are cleared together with search, extra filters and view; sorting and page size are kept', () => {
    const state = cleared(fields, { ...narrowed, sort: '-name', pageSize: 50 }, ['fileId']);
    expect(Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined))).toEqual({
      page: 1,
      pageSize: 50,
      sort: '-name',
      search: '',
    });
  });

  it('are sent to the API by name, with days as their first and last moment in the local time zone', () => {
    const query = filterQuery(fields, { ...narrowed, createdAtMin: '2026-11-20' }, ['fileId']);
    expect(query).toEqual({
      search: 'apt',
      status: ['open', 'N/A'],
      cvssScoreMin: 7,
      // The tests run in UTC.
      createdAtMin: '2026-11-20T00:00:00.000Z',
      createdAtMax: '2026-11-21T23:59:59.999Z',
      fileId: 'f',
    });
    expect(filterQuery(fields, initial, ['fileId'])).toEqual({});
  });

  it('end in the year 9999 in every time zone, because the API keeps no later year', () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    expect(filterQuery(fields, { ...initial, createdAtMax: '9999-12-31' }, [])).toEqual({
      createdAtMax: '9999-12-31T23:59:59.999Z',
    });
  });

  it.each([
    [{ values: [], min: 4 }, { values: ['4', '5'] }],
    [{ values: ['N/A'], max: 1 }, { values: ['1', 'N/A'] }],
    [{ values: ['3', '5', 'N/A'], min: 2, max: 4 }, { values: ['3', 'N/A'] }],
    [{ values: ['3'] }, { values: ['3'] }],
  ])('the filter %j of levels is %j', (filter, expected) => {
    const levels = ['1', '2', '3', '4', '5'];
    const field = { label: 'Criticality', kind: 'choice', levels: true, values: levels } as const;
    expect(rangeAsLevels(field, filter)).toEqual(expected);
  });

  it('a range of a number is not one of levels', () => {
    const filter = { values: [], min: 7 };
    expect(rangeAsLevels({ label: 'CVSS', kind: 'number' }, filter)).toBe(filter);
  });

  it.each([
    ['status', { values: ['open'] }, 'Status: OPEN'],
    ['status', { values: ['N/A', 'open', 'fixed'] }, 'Status: OPEN, FIXED or N/A'],
    ['status', { values: ['a', 'b', 'c', 'd', 'e'] }, 'Status: A, B, 3 more'],
    ['cvssScore', { values: [], min: 7 }, 'CVSS: min 7'],
    ['cvssScore', { values: [], min: 1699 }, 'CVSS: min 1,699'],
    ['cvssScore', { values: [], min: 7, max: 9 }, 'CVSS: 7 – 9'],
    ['cvssScore', { values: ['N/A'], max: 3.9 }, 'CVSS: max 3.9 or N/A'],
    ['cvssScore', { values: ['N/A'] }, 'CVSS: N/A'],
    ['cvssScore', { values: ['high', 'N/A'], min: 5 }, 'CVSS: min 5 and HIGH or N/A'],
    ['createdAt', { values: [], min: '2026-11-01' }, 'Created At: from Nov 1, 2026'],
    [
      'createdAt',
      { values: [], min: '2026-11-01', max: '2026-11-21' },
      'Created At: Nov 1, 2026 – Nov 21, 2026',
    ],
    ['createdAt', { values: [], max: '2026-11-21T08:00:00Z' }, 'Created At: until Nov 21, 2026'],
  ])('the filter %s %j is shown as %s', (name, filter, expected) => {
    const field = fields[name];
    expect(field && filterText(name, field, { filter, labelOf })).toBe(expected);
  });

  it('names the days in UTC that a link of the overview selects, where those of the reader differ', () => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(480);
    const field = fields['createdAt'];
    const filter = { values: [], min: '2026-11-01T00:00Z', max: '2026-11-30T23:59:59.999Z' };
    expect(field && filterText('createdAt', field, { filter, labelOf })).toBe(
      'Created At: Nov 1, 2026 UTC – Nov 30, 2026 UTC',
    );
  });
});
