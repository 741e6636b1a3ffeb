import { describe, expect, it } from 'vitest';
import { cellValue } from './cell-values.ts';
import { matchColumns } from './match-columns.ts';
import { RowReader } from './row-reader.ts';

describe('a cell', () => {
  const labels = { 1: 'Very Low', 2: 'High' };
  it('of an enumeration takes labels in any case, numbers, and refuses other texts with the labels', () => {
    expect(cellValue({ type: 'scale', labels }, ' very_low ')).toEqual({ value: 1 });
    expect(cellValue({ type: 'scale', labels }, '2')).toEqual({ value: 2 });
    expect(cellValue({ type: 'scale', labels }, 'huge')).toEqual({ problem: 'Use one of Very Low, High.' });
  });

  it.each([
    ['ACTIVE', true],
    ['no', false],
    ['1', true],
    ['False', false],
  ])('of a flag: %j is %j', (text, value) => {
    expect(cellValue({ type: 'flag', labels: { true: 'Active', false: 'Inactive' } }, text)).toEqual({
      value,
    });
  });

  const cost = { type: 'number', unit: 'USD', max: 1e12 };
  it.each([';', '\t'])('of a cost does not guess what 1.250 is when the delimiter is "%s"', (delimiter) => {
    expect(cellValue(cost, ' $1.250', delimiter)).toEqual({
      problem: '1.250 can mean thousands or decimals. Write 1250 for thousands, or 1.2500 for decimals.',
    });
  });

  it.each([
    ['1.2500', ';', 1.25],
    ['1.25', ';', 1.25],
    ['0.125', ';', 0.125],
    ['1250.125', ';', 1250.125],
    ['1.250,00', ';', 1250],
    ['1.250.000', ';', 1_250_000],
    ['1.250', ',', 1.25],
  ])('of a cost: %s with the delimiter "%s" is %d', (text, delimiter, value) => {
    expect(cellValue(cost, text, delimiter)).toEqual({ value });
  });

  it('of a score has decimals, with any delimiter', () => {
    expect(cellValue({ type: 'number', max: 10 }, '1.250', ';')).toEqual({ value: 1.25 });
  });

  it('of a score refuses the words of its bands with their numbers', () => {
    const bands = [
      { label: 'Critical', from: 9 },
      { label: 'High', from: 7 },
      { label: 'Low', from: 0 },
    ];
    const problem = 'Enter a number instead of a word: Critical from 9, High from 7.';
    expect(cellValue({ type: 'number', bands }, ' high')).toEqual({ problem });
    expect(cellValue({ type: 'number', bands }, 'LOW')).toEqual({ problem });
    expect(cellValue({ type: 'number', bands }, 'huge')).toEqual({ problem: 'Enter a number.' });
    expect(cellValue({ type: 'number', bands }, '7')).toEqual({ value: 7 });
  });

  it.each([
    '2025-01-31',
    ' 2025/01/31 ',
    '2025-01-31 23:30',
    '2025-01-31 23:30:00',
    '2025/01/31 23:30:00',
    '2025-01-31T23:30',
    '2025-01-31T23:30:00.123Z',
    '2025-01-31T23:30:00-08:00',
    '2025-01-31 23:30:00.123456+00:00',
    '2025-01-31 23:30:00 UTC',
  ])('of a day has the day that is written in "%s"', (text) => {
    expect(cellValue({ type: 'day' }, text)).toEqual({ value: '2025-01-31' });
  });

  it.each([
    '31.01.2025',
    '01/31/2025',
    '20250131',
    '2025-01/31',
    '2025-02-30',
    '2025-01-31 25:00',
    '0000-01-01',
  ])('of a day refuses "%s" with the form that is accepted', (text) => {
    const reader = new RowReader('vulnerabilities', {
      mapping: [{ column: 0, field: 'discoveryDate' }],
      key: 'name',
    });
    const row = reader.read({ line: 2, cells: [text] }, { columns: 1, delimiter: ',' });
    expect(row.problems).toEqual([
      {
        field: 'discoveryDate',
        message: 'Enter a date as YYYY-MM-DD, such as 2025-01-31.',
        isKept: false,
      },
    ]);
  });

  it('of a cost may have its currency', () => {
    expect(cellValue({ type: 'number', unit: 'USD' }, '$1,200')).toEqual({ value: 1200 });
  });
});

it('columns match a field by its names in any case and punctuation, exact names before synonyms, each field once', () => {
  const fields = [
    { field: 'name', names: ['name', 'Asset'] },
    { field: 'assetTypeId', names: ['assetTypeId', 'Asset type'] },
  ];
  expect(matchColumns(['ASSET_TYPE', 'Asset', 'Name', 'name!'], fields)).toEqual([
    'assetTypeId',
    null,
    'name',
    null,
  ]);
});
