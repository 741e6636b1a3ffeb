import { expect, test } from 'vitest';
import { batchName } from './batch-calls.ts';

const fileOf = (name: string) => new File(['x'], name);

test.each([
  ['all files are sent', ['a.json', 'b.json'], 2, 'a.json and 1 more'],
  ['some names exist', ['a.json', 'b.json'], 12, 'a.json and others'],
  ['all names but one exist', ['a.json'], 12, 'a.json'],
  ['all names exist', [], 12, undefined],
  ['the name is long', [`${'a'.repeat(200)}.json`], 12, 'a'.repeat(150)],
] as const)('the name of a batch is true with any files kept: %s', (_, names, total, name) => {
  expect(batchName(names.map(fileOf), total)).toBe(name);
});
