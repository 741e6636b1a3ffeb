import { describe, expect, it, vi } from 'vitest';
import { allChecked, choicesOf, matching } from './choice-filter.tsx';
import { draftOf, rangeOf } from './range-filter.tsx';

const labelOf = (value: string) => ({ '1': 'Malware' })[value] ?? value;

describe('filter choices', () => {
  it('are in declared order, then by count; N/A is last and only present when rows have no value', () => {
    const facet = {
      values: [
        { value: 'x', count: 9 },
        { value: 'N/A', count: 5 },
        { value: '1', count: 2 },
      ],
      more: false,
    };
    const field = { label: 'Type', kind: 'choice', values: ['1', '2'] } as const;
    expect(choicesOf({ field, facet, chosen: [], labelOf })).toEqual([
      { value: '1', label: 'Malware', count: 2 },
      { value: '2', label: '2', count: 0 },
      { value: 'x', label: 'x', count: 9 },
      { value: 'N/A', label: 'N/A', count: 5 },
    ]);
  });

  it('have no count for a value that selects rows of another value', () => {
    const facet = { values: [{ value: 'open', count: 2 }], more: false };
    const values = ['open', 'fixed', 'new'];
    const field = { label: 'Status', kind: 'choice', values, uncounted: ['new'] } as const;
    expect(choicesOf({ field, facet, chosen: [], labelOf }).map(({ count }) => count)).toEqual([2, 0, null]);
  });

  it('keep the chosen values, and have no counts without facets', () => {
    const field = { label: 'Type', kind: 'choice' } as const;
    expect(choicesOf({ field, facet: undefined, chosen: ['gone', 'N/A'], labelOf })).toEqual([
      { value: 'gone', label: 'gone', count: null },
      { value: 'N/A', label: 'N/A', count: null },
    ]);
  });

  const choices = ['a', 'b'].map((value) => ({ value, label: value, count: 1 }));
  it.each([
    [[], false],
    [['a'], 'mixed'],
    [['b', 'a', 'c'], true],
  ])('with %j chosen, the checkbox for all is %s', (chosen, expected) => {
    expect(allChecked(choices, chosen)).toBe(expected);
  });

  it('are found by their labels and values', () => {
    const known = [{ value: '1', label: 'Malware', count: 1 }];
    expect(matching(known, ' MAL ')).toHaveLength(1);
    expect(matching(known, '1')).toHaveLength(1);
    expect(matching(known, 'phish')).toHaveLength(0);
  });
});

describe('filter ranges', () => {
  it.each([
    ['number', { min: ' 7 ', max: '' }, { min: 7, max: undefined }],
    ['number', { min: '0', max: '9.5' }, { min: 0, max: 9.5 }],
    ['number', { min: '1,699', max: '12,345.5' }, { min: 1699, max: 12345.5 }],
    ['number', { min: 'x', max: '' }, { error: 'Enter a number.' }],
    ['number', { min: '9', max: '7' }, { error: 'Min must not exceed max.' }],
    ['time', { min: '2026-11-01', max: '2026-11-21' }, { min: '2026-11-01', max: '2026-11-21' }],
    ['time', { min: '0002-11-01', max: '' }, { error: 'Enter a date.' }],
    ['day', { min: '', max: '2026-11-21', incomplete: ['min'] }, { error: 'Enter a date.' }],
    ['time', { min: '2026-11-21', max: '2026-11-01' }, { error: 'From must not be after Until.' }],
  ] as const)('%s %j is read as %j', (kind, draft, expected) => {
    expect(rangeOf(kind, draft)).toEqual(expected);
  });

  it('show the day in UTC of a limit that is the start or end of one', () => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(480);
    expect(draftOf('2026-11-01T00:00Z')).toBe('2026-11-01');
    expect(draftOf('2026-11-30T23:59:59.999Z')).toBe('2026-11-30');
  });

  it('show the local day of a timestamp', () => {
    expect(draftOf('2026-11-21T08:00:00Z')).toBe('2026-11-21');
    expect(draftOf(7.5)).toBe('7.5');
    expect(draftOf(undefined)).toBe('');
  });
});
