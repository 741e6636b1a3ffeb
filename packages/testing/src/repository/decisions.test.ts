import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const documents = join(import.meta.dirname, '../../../../docs');
const folder = join(documents, 'decisions');

test('decision records are numbered without gaps or duplicates, and their titles have the number', () => {
  const records = readdirSync(folder).toSorted();
  const numbers = records.map((_, index) => String(index + 1).padStart(4, '0'));
  expect(records.map((name) => name.slice(0, 4))).toEqual(numbers);
  const titles = records.map((name) => readFileSync(join(folder, name), 'utf8').slice(0, 7));
  expect(titles).toEqual(numbers.map((number) => `# ${number} `));
});

test('docs/decisions.md lists each decision record once', () => {
  const links = readFileSync(join(documents, 'decisions.md'), 'utf8').matchAll(
    /\]\(decisions\/(?<name>[^)]+)\)/gu,
  );
  expect([...links].map(({ groups }) => groups?.['name'] ?? '').toSorted()).toEqual(
    readdirSync(folder).toSorted(),
  );
});
