import { importableFields } from '@riskboard/contract';
import { describe, expect, test } from 'vitest';
import { importOf } from '../../../testing/imports.ts';
import { newId } from '../../../testing/rows.ts';
import { choicesOf, matchOf, missingFields, planOf, refusalOf, searchOf, withField } from './plan.ts';

const saved = [
  { column: 0, field: 'name' },
  { column: 1, field: null },
  { column: 2, field: 'description' },
];

describe('choices of the columns', () => {
  test.each([
    ['the automatic match without a change', importOf(), {}, ['name', 'criticality', null]],
    ['what the last dry run saved', importOf({ mapping: saved }), {}, ['name', null, 'description']],
    ['a change in the URL', importOf(), { map: '2:description,1:' }, ['name', null, 'description']],
    [
      'a change over what was saved',
      importOf({ mapping: saved }),
      { map: '1:criticality' },
      ['name', 'criticality', 'description'],
    ],
    ['no unknown field', importOf(), { map: '2:riskScore,1:nothing' }, ['name', null, null]],
    ['a field once: the changed column has it', importOf(), { map: '2:name' }, [null, 'criticality', 'name']],
    ['no column beyond the file', importOf(), { map: '7:description' }, ['name', 'criticality', null]],
    ['the match when the URL is no change', importOf(), { map: 'name' }, ['name', 'criticality', null]],
  ])('are %s', (_what, csv, search, fields) => {
    expect(choicesOf(csv, search).fields).toEqual(fields);
  });

  test.each([
    ['the one in the URL', importOf({ key: 'name' }), { key: 'reference' }, 'reference'],
    ['the saved one', importOf({ key: 'reference' }), {}, 'reference'],
    ['the first one that has a column', importOf(), { map: '0:reference' }, 'reference'],
    ['the name without any column', importOf(), { map: '0:' }, 'name'],
    ['the name when the URL has no key of this noun', importOf(), { key: 'cveId' }, 'name'],
  ])('the key is %s', (_what, csv, search, key) => {
    expect(choicesOf(csv, search).key).toBe(key);
  });

  test('the URL holds exactly what differs from the saved choices, and reads back the same', () => {
    const project = newId();
    for (const csv of [importOf(), importOf({ mapping: saved, key: 'reference', projectId: project })]) {
      const first = choicesOf(csv, {});
      expect(searchOf(csv, first)).toEqual({ map: undefined, key: undefined, project: undefined });
      for (const next of [
        { ...first, fields: first.fields.with(2, 'reference') },
        { ...first, fields: first.fields.with(0, null) },
        { ...first, key: 'reference' },
        { ...first, key: 'name' },
        { ...first, projectId: newId() },
        { ...first, projectId: null },
      ])
        expect(choicesOf(csv, searchOf(csv, next))).toEqual(next);
    }
  });
});

test('a plan names every column, and the project only when one is chosen', () => {
  const csv = importOf();
  const choices = choicesOf(csv, {});
  const mapping = [
    { column: 0, field: 'name' },
    { column: 1, field: 'criticality' },
    { column: 2, field: null },
  ];
  expect(planOf(csv, choices)).toEqual({ mapping, key: 'name' });
  const projectId = newId();
  expect(planOf(csv, { ...choices, projectId })).toEqual({ mapping, key: 'name', projectId });
});

test('a column is matched automatically, chosen by the user, or not imported', () => {
  const csv = importOf();
  const choices = choicesOf(csv, { map: '1:,2:description' });
  expect([0, 1, 2].map((position) => matchOf(csv, choices, position))).toEqual([
    'automatic',
    'none',
    'manual',
  ]);
});

test('missing required fields are named; a chosen project replaces its column', () => {
  const csv = importOf();
  const choices = choicesOf(csv, {});
  const required = importableFields('assets').filter((field) => field.required && field.field !== 'name');
  expect(missingFields('assets', choices)).toEqual(required.map(({ label }) => label));
  expect(missingFields('assets', { ...choices, projectId: newId() })).not.toContain('Project');
});

test('the severity of new vulnerabilities is not missing in a file with CVSS scores or vectors', () => {
  const choices = choicesOf(importOf(), {});
  const missing = (fields: (string | null)[]) => missingFields('vulnerabilities', { ...choices, fields });
  expect(missing(['name', 'description'])).toEqual(['Severity']);
  for (const field of ['cvssScore', 'cvssVector'])
    expect(missing(['name', 'description', field])).toEqual([]);
});

test('rows cannot be read without a column of the key', () => {
  const csv = importOf();
  expect(refusalOf('assets', choicesOf(csv, {}))).toBeUndefined();
  expect(refusalOf('assets', choicesOf(csv, { key: 'reference' }))).toBe(
    'Choose the column of Reference: it finds existing records.',
  );
  expect(refusalOf('assets', choicesOf(csv, { map: '0:,1:' }))).toBe(
    'Choose a field for at least one column.',
  );
});

test('vulnerabilities are found by CVE when each sampled row has one, until the user chooses another key', () => {
  const columns = [
    { index: 0, header: 'Name', field: 'name', samples: ['Overflow'], filled: true },
    { index: 1, header: 'CVE', field: 'cveId', samples: ['CVE-2024-1001'], filled: true },
  ];
  const csv = importOf({ noun: 'vulnerabilities', columns });
  expect(choicesOf(csv, {}).key).toBe('cveId');
  expect(choicesOf(csv, { key: 'name' }).key).toBe('name');
  expect(choicesOf({ ...csv, key: 'name' }, {}).key).toBe('name');
  expect(choicesOf(csv, { map: '1:' }).key).toBe('name');
  const partly = columns.map((column) => ({ ...column, filled: column.index === 0 }));
  expect(choicesOf({ ...csv, columns: partly }, {}).key).toBe('name');
});

test('the key follows the columns until the user chooses one', () => {
  const csv = importOf();
  const choices = choicesOf(csv, { map: '0:' });
  const change = { position: 0, field: 'reference' };
  expect(withField(csv, choices, { ...change, isKeyChosen: false }).key).toBe('reference');
  expect(withField(csv, choices, { ...change, isKeyChosen: true }).key).toBe('name');
});
