import { glob, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** SQL and query-builder forms of a lock. */
const lockStatement =
  /\bfor (?:no key )?update\b|\bfor (?:key )?share\b|pg_(?:try_)?advisory|\.for(?:NoKey)?Update\(|\.for(?:Key)?Share\(|\block table\b/iu;

const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*.*?\*\//gsu, '').replaceAll(/^\s*\/\/.*$/gmu, '');

const isProduct = (file: string): boolean =>
  !file.includes('.test.') && !/\/(?:testing|test)\//u.test(file) && !file.includes('packages/db/src/locks/');

it('every lock statement of api, worker and db is in packages/db/src/locks', async () => {
  const found: string[] = [];
  let files = 0;
  for await (const file of glob('{api,worker,packages/db}/src/**/*.ts', { cwd: root })) {
    if (!isProduct(file)) continue;
    files += 1;
    const source = withoutComments(await readFile(join(root, file), 'utf8'));
    if (lockStatement.test(source)) found.push(relative(root, join(root, file)));
  }
  expect(files).toBeGreaterThan(150);
  expect(found).toEqual([]);
});
