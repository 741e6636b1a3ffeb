import { describe, expect, it } from 'vitest';
import { RowReader } from './row-reader.ts';

const columns = ['name', 'criticality', 'replacementCost', 'startDate'];
const mapping = columns.map((field, column) => ({ column, field }));

/** Reads rows of assets with the texts of all columns but the name. */
function readAll(rows: readonly (readonly string[])[]) {
  const reader = new RowReader('assets', { mapping, key: 'name' });
  return rows.map((texts, n) =>
    reader.read(
      { line: n + 2, cells: [`Server ${n}`, ...texts] },
      { columns: columns.length, delimiter: ',' },
    ),
  );
}

describe('a text that other rows have too', () => {
  it('has the same value in each row', () => {
    const rows = readAll(Array.from({ length: 3 }, () => ['high', '$1,250', '2025/01/31']));
    for (const { values, problems } of rows) {
      expect(values).toMatchObject({ criticality: 4, replacement_cost: 1250, start_date: '2025-01-31' });
      expect(problems).toEqual([]);
    }
  });

  it('has the same problem in each row', () => {
    const rows = readAll(Array.from({ length: 3 }, () => ['huge', '', '31.1.2025']));
    for (const { problems } of rows)
      expect(problems.map(({ field }) => field)).toEqual(['criticality', 'startDate']);
    expect(rows[2]?.problems).toEqual(rows[0]?.problems);
  });

  it('is read by the rules of its own column', () => {
    const [row] = readAll([['4', '4', '4']]);
    expect(row?.values).toMatchObject({ criticality: 4, replacement_cost: 4 });
    expect(row?.problems.map(({ field }) => field)).toEqual(['startDate']);
  });

  it('has its value among thousands of others', () => {
    const rows = readAll(Array.from({ length: 3000 }, (_, n) => ['low', String(n % 1500), '']));
    expect(rows.map(({ values }) => values['replacement_cost'])).toEqual(rows.map((_, n) => n % 1500));
  });
});

describe('a number that its field does not accept', () => {
  it.each([
    ['2147483647', 2147483647],
    ['-2147483647', -2147483647],
    ['2147483648', null],
    ['99999999999', null],
    ['2.5', null],
  ])('is kept for an existing record only if the column can hold it: %s', (text, value) => {
    const [row] = readAll([[text, '', '']]);
    expect(row?.values['criticality']).toBe(value);
    expect(row?.problems).toMatchObject([{ field: 'criticality', isKept: value !== null }]);
  });
});

it('an empty vector clears the version too, and leaves the score to its own column', () => {
  const mapping = ['name', 'cvssScore', 'cvssVector'].map((field, column) => ({ column, field }));
  const reader = new RowReader('vulnerabilities', { mapping, key: 'name' });
  const row = reader.read({ line: 2, cells: ['One', '4.3', ''] }, { columns: 3, delimiter: ',' });
  expect(row).toMatchObject({
    problems: [],
    values: { cvss_vector: '', cvss_version: '', cvss_score: 4.3 },
  });
});
