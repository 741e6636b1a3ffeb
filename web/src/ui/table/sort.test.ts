import { expect, it } from 'vitest';
import { nextSort } from './sort.ts';

it.each([
  {
    name: 'a number or date sorts descending, ascending, then by the default of the list',
    cycle: { column: 'size', descendingFirst: true, standard: '-createdAt' },
    sorts: ['-createdAt', '-size', 'size', '-createdAt', '-size'],
  },
  {
    name: 'a text sorts ascending, descending, then by the default of the list',
    cycle: { column: 'name', descendingFirst: false, standard: '-createdAt' },
    sorts: ['-createdAt', 'name', '-name', '-createdAt', 'name'],
  },
  {
    name: 'the column of the default alternates between its two directions',
    cycle: { column: 'severity', descendingFirst: true, standard: '-severity' },
    sorts: ['-severity', 'severity', '-severity'],
  },
  {
    name: 'a column whose default is its second direction alternates too',
    cycle: { column: 'name', descendingFirst: false, standard: '-name' },
    sorts: ['-name', 'name', '-name'],
  },
])('clicks on a header: $name', ({ cycle, sorts }) => {
  for (const [index, sort] of sorts.slice(0, -1).entries()) {
    expect(nextSort(sort, cycle)).toBe(sorts[index + 1]);
  }
});
