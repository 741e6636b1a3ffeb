import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const document = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
const matrix = join(root, 'packages/journey/src/faults/matrix');

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

it('docs/reliability.md has the id of each case of the fault matrix, and no other', () => {
  const ids = globSync('cases/*.ts', { cwd: matrix }).flatMap((file) =>
    matches(readFileSync(join(matrix, file), 'utf8'), /^ {4}id: '([^']+)',$/gmu),
  );
  expect(ids.length).toBeGreaterThan(20);
  expect(matches(document, /^\| (F\d[^|]*?) \|/gmu).toSorted()).toEqual(ids.toSorted());
});

it('docs/reliability.md lists each crash point', () => {
  const points = matches(readFileSync(join(matrix, 'crash-points.ts'), 'utf8'), /^ {2}'\w+: ([^']+)': \{/gmu);
  const listed = matches(document, /^\| (?:api|worker) \| [^|]+ \| ([^|]+) \|$/gmu).flatMap((cell) =>
    cell.split(', '),
  );
  expect(points.length).toBeGreaterThan(10);
  expect(listed).toEqual(points);
});
