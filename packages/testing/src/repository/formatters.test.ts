import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

test('no module that a page loads creates a formatter of Intl when it is evaluated', () => {
  const files = globSync(['packages/domain/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        // Declarations of a module are not indented; `lazily(() => new Intl.…)` is a function.
        .filter((line) => /^(?:export )?const .*(?<!=> )new Intl\./u.test(line))
        .map((line) => `${file}: ${line}`),
    );
  expect(found).toEqual([]);
});
