import { expect, it } from 'vitest';
import { importColumnLabel } from './imports.ts';

const columns = [
  { index: 0, header: 'Risk', field: 'severity' },
  { index: 1, header: 'SEVERITY', field: null },
  { index: 2, header: 'Host', field: 'relatedAssets' },
];
const moved = [
  { column: 0, field: null },
  { column: 1, field: 'severity' },
  { column: 2, field: 'relatedAssets' },
];

it.each([
  ['another header', null, 'severity', 'Severity (Risk)'],
  ['the header of the chosen column', moved, 'relatedAssets', 'Related assets (Host)'],
  ['a header that is the label', moved, 'severity', 'Severity'],
  ['a field without a column', null, 'name', 'Name'],
  ['an unknown field', null, 'colour', 'colour'],
])('the column of a problem is named by its field and its header: %s', (_, mapping, field, label) => {
  expect(importColumnLabel({ noun: 'vulnerabilities', columns, mapping }, field)).toBe(label);
});
