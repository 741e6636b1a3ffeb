import { expect, it } from 'vitest';
import { type CatalogueEntry, catalogueFacts } from './catalogue-facts.ts';
import { cweNumber } from './cwe-number.ts';

const entry = (change: Partial<CatalogueEntry>): CatalogueEntry => ({
  kind: 'weakness',
  name: 'A weakness',
  status: 'Draft',
  likelihood: '',
  impacts: [],
  parents: [],
  ...change,
});

const factsOf = (id: number, entries: Record<number, Partial<CatalogueEntry>>) =>
  catalogueFacts(
    id,
    new Map(Object.entries(entries).map(([key, change]) => [Number(key), entry(change)])),
    'CWE 4.15',
  );

it.each([
  ['79', 79],
  ['CWE-79', 79],
  [' cwe-0079 ', 79],
  ['CWE-0', undefined],
  ['NVD-CWE-noinfo', undefined],
  ['NVD-CWE-Other', undefined],
  ['CWE-noinfo', undefined],
  ['n/a', undefined],
  ['', undefined],
  ['79, 80', undefined],
  ['CWE-99999999999999999999', undefined],
  ['CWE-3000000000', undefined],
])('cweNumber reads %j as %j', (text, expected) => {
  expect(cweNumber(text)).toBe(expected);
});

it('a weakness has its own impacts and its likelihood', () => {
  expect(factsOf(1, { 1: { impacts: ['Read Memory', 'Other'], likelihood: 'High' } })).toEqual({
    name: 'A weakness',
    likelihood: 'High',
    impacts: ['Read Memory', 'Other'],
    inheritedFrom: null,
    note: '',
  });
});

it('a weakness without a mapped impact inherits those of its nearest ancestor', () => {
  const facts = factsOf(1, {
    1: { impacts: ['Other'], parents: [2] },
    2: { impacts: ['Varies by Context'], parents: [3] },
    3: { impacts: ['Read Memory'], parents: [4] },
    4: { impacts: ['Hide Activities'] },
  });
  expect(facts).toMatchObject({ impacts: ['Read Memory'], inheritedFrom: 3 });
  expect(facts.note).toContain('inherited from CWE-3.');
});

it('several ancestors at the same distance give all their impacts once', () => {
  const facts = factsOf(1, {
    1: { parents: [9, 2, 3] },
    2: { impacts: ['Other'], parents: [4] },
    3: { impacts: ['Read Memory', 'Hide Activities'] },
    4: { impacts: ['Modify Memory'] },
    9: { impacts: ['Hide Activities'] },
  });
  expect(facts).toMatchObject({ impacts: ['Read Memory', 'Hide Activities'], inheritedFrom: 3 });
  expect(facts.note).toContain('inherited from CWE-3 and CWE-9.');
});

it('a cycle of parents ends without impacts', () => {
  const facts = factsOf(1, { 1: { parents: [2] }, 2: { parents: [1, 2, 3] }, 3: { parents: [1] } });
  expect(facts).toMatchObject({ impacts: [], inheritedFrom: null });
  expect(facts.note).toBe('No consequence of CWE-1 or its ancestors means a technical impact.');
});

it('a parent that the catalogue does not have is ignored', () => {
  expect(factsOf(1, { 1: { parents: [7, 2] }, 2: { impacts: ['Read Memory'] } }).inheritedFrom).toBe(2);
});

it.each<[string, Partial<CatalogueEntry>, string]>([
  ['category', { kind: 'category' }, 'CWE-1 is a category; MITRE prohibits mapping to categories.'],
  ['view', { kind: 'view' }, 'CWE-1 is a view; MITRE prohibits mapping to views.'],
  ['deprecated weakness', { status: 'Deprecated' }, 'CWE-1 is deprecated.'],
])('a %s has no impacts and says why', (_name, change, note) => {
  expect(factsOf(1, { 1: change })).toMatchObject({ impacts: [], inheritedFrom: null, note });
});

it('an unknown number names the catalogue', () => {
  expect(factsOf(7, {})).toEqual({
    name: '',
    likelihood: '',
    impacts: [],
    inheritedFrom: null,
    note: 'The catalogue CWE 4.15 does not know CWE-7.',
  });
});
