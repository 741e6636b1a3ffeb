import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Quoted text that is a path: it contains a slash or a file extension, or names a folder of the root. */
const isPath = (quoted: string): boolean =>
  /^[\w.$-]+(?:\/[\w.$-]+)+$|^\.?[\w-]+\.\w+$|^migrations$/u.test(quoted) &&
  !/^stix\.(?:parse|extract)$/u.test(quoted);

it('docs/architecture.md names only existing files and folders', () => {
  const paths = [...text.matchAll(/`([^`\s]+)`/gu)].map(([, quoted = '']) => quoted).filter(isPath);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
