import { expect, test } from 'vitest';
import { entities } from './entities.ts';
import type { Field } from './field.ts';
import { blankValue, editableColumns, editableFields, listedFields } from './infer.ts';

const everyField = Object.entries(entities).flatMap(([noun, { fields }]) =>
  Object.entries(fields as Readonly<Record<string, Field>>).map(([name, field]) => ({ noun, name, field })),
);

test('columns are written in snake case and belong to one field each', () => {
  for (const noun of Object.keys(entities)) {
    const columns = everyField.flatMap((one) => (one.noun === noun ? (one.field.column ?? []) : []));
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.filter((column) => !/^[a-z]+(?:_[a-z]+)*$/u.test(column))).toEqual([]);
  }
});

test('a field that is required or set in bulk can be edited', () => {
  const wrong = everyField.filter(({ field }) => (field.required || field.bulk) && !field.form);
  expect(wrong.map(({ noun, name }) => `${noun}.${name}`)).toEqual([]);
});

test('a field that can be edited has a column, or is a list of relations', () => {
  const wrong = everyField.filter(
    ({ field }) => field.form && field.column === null && field.type !== 'relations',
  );
  expect(wrong.map(({ noun, name }) => `${noun}.${name}`)).toEqual([]);
});

test('derived parts of a list are named in the order of the table', () => {
  const { fields } = entities.vulnerabilities;
  expect(listedFields(fields).slice(0, 4)).toEqual(['sourceFile', 'name', 'cveId', 'cwe']);
  expect(editableFields(fields)).toContain('relatedAssets');
  expect(editableColumns(fields)).toMatchObject({ cveId: 'cve_id', isActive: 'is_active' });
  expect(editableColumns(fields)).not.toHaveProperty('sourceFile');
});

test('a new record is blank but for the defaults of the table', () => {
  const { fields } = entities.vulnerabilities;
  expect(
    [fields.status, fields.isActive, fields.cwe, fields.name, fields.severity].map((field: Field) =>
      blankValue(field),
    ),
  ).toEqual(['open', true, [], '', null]);
});

test('a text that lists shorten is changed in the form of its record only', () => {
  const wrong = everyField.filter(
    ({ field: { type, list, inlineEdit, bulk } }) => type === 'prose' && list && (inlineEdit || bulk),
  );
  expect(wrong.map(({ noun, name }) => `${noun}.${name}`)).toEqual([]);
});
