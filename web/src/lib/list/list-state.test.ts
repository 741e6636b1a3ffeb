import { defineList } from '@riskboard/contract';
import { describe, expect, it } from 'vitest';
import { changed, dataPageSizes, listStateSchema } from './list-state.ts';
import { id } from './search-schema.ts';

const { fields, standard } = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    cwe: { label: 'CWE', kind: 'choice' },
    status: { label: 'Status', kind: 'choice', values: ['open', 'fixed'] },
    severity: { label: 'Severity', kind: 'number', values: ['critical', 'high'] },
    cvssScore: { label: 'CVSS', kind: 'number' },
    createdAt: { label: 'Created At', kind: 'time' },
    impact: { label: 'Impact', kind: 'choice', values: ['1', '2'], levels: true },
    risk: { label: 'Risk', kind: 'choice', values: ['high'], sortable: false },
  },
  '-createdAt',
);
const extra = { fileId: id };
const schema = listStateSchema({ fields, standard, pageSizes: dataPageSizes, extra, empty: true });
const initial = { page: 1, pageSize: 10, sort: '-createdAt', search: '' };

describe('list state in the URL', () => {
  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    [
      'page, size and sort',
      { page: '3', pageSize: 50, sort: 'name' },
      { page: 3, pageSize: 50, sort: 'name' },
    ],
    ['a search that reads as a number', { search: 2024 }, { search: '2024' }],
    ['one value', { severity: 'critical' }, { severity: ['critical'] }],
    ['several values, each once', { status: ['open', 'fixed', 'open'] }, { status: ['open', 'fixed'] }],
    ['a value that reads as a number', { cwe: [79, 'CWE-89'] }, { cwe: ['79', 'CWE-89'] }],
    ['N/A', { cvssScore: 'N/A' }, { cvssScore: ['N/A'] }],
    ['a range of numbers', { cvssScoreMin: '7', cvssScoreMax: 9.5 }, { cvssScoreMin: 7, cvssScoreMax: 9.5 }],
    ['a range of levels', { impactMin: '2', impactMax: 2 }, { impactMin: 2, impactMax: 2 }],
    ['a range of days', { createdAtMin: '2026-11-01' }, { createdAtMin: '2026-11-01' }],
    [
      'moments as the API takes them',
      { createdAtMax: '2026-11-01T10:00:00Z' },
      { createdAtMax: '2026-11-01T10:00:00Z' },
    ],
    [
      'what the page adds',
      { fileId: '0199f000-0000-7000-8000-000000000001' },
      { fileId: '0199f000-0000-7000-8000-000000000001' },
    ],
  ])('accepts %s', (_name, input, expected) => {
    expect(schema.parse(input)).toEqual({ ...initial, ...expected });
  });

  it.each<[string, object]>([
    ['a page below 1', { page: -7 }],
    ['a size that is not offered', { pageSize: 13 }],
    ['a sort by what is no field', { sort: 'password' }],
    ['a sort by what is not sorted by', { sort: '-risk' }],
    ['a search that is not a text', { search: { a: 1 } }],
    ['a value that is not known', { status: 'gone' }],
    ['no value at all', { status: [] }],
    ['a value of a number without bands', { cvssScore: 'high' }],
    ['a bound that is not a number', { cvssScoreMin: 'many' }],
    ['a bound that is not finite', { cvssScoreMin: 'Infinity' }],
    ['a day that does not exist', { createdAtMin: '2026-02-30' }],
    ['a year that is still being typed', { createdAtMin: '0002-02-01' }],
    ['a view that is not an id', { view: 'mine' }],
    ['a file that is not an id', { fileId: '1' }],
    ['a range of a text', { nameMin: 1 }],
    ['a range of a choice without levels', { statusMin: 1 }],
    ['a bound of levels that is not a number', { impactMin: 'abc' }],
    ['unknown names', { constructor: 'x', unknown: 1 }],
  ])('ignores %s without an error', (_name, input) => {
    expect(schema.parse(input)).toEqual(initial);
  });

  it('keeps the valid values of several', () => {
    expect(schema.parse({ status: ['open', 'gone', 'N/A'] })).toMatchObject({ status: ['open', 'N/A'] });
  });

  it('accepts no N/A when the API does not', () => {
    const without = listStateSchema({ fields, standard, pageSizes: dataPageSizes, extra, empty: false });
    expect(without.parse({ status: 'N/A' })).toEqual(initial);
  });

  it('goes back to page 1 on any change other than paging (spec 5, Lists)', () => {
    const third = schema.parse({ page: 3, search: 'apt' });
    expect(changed(third, { search: 'x' }).page).toBe(1);
    expect(changed(third, { status: ['open'] }).page).toBe(1);
    expect(changed(third, { page: 4 })).toEqual({ ...third, page: 4 });
  });
});
