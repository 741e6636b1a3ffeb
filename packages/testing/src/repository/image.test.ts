import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files that Dockerfile and docker-compose.yml start or build. */
const entries = [
  'api/src/main.ts',
  'worker/src/main.ts',
  'packages/embedded/src/migrate-main.ts',
  'packages/cli/src/main.ts',
  'scripts/is-live.mjs',
  'web/vite.config.ts',
  'web/src/main.tsx',
] as const;

const patterns = read('.dockerignore').split('\n').filter(Boolean);

/** An ignored folder ignores everything below it. */
function isIgnored(file: string): boolean {
  const steps = file.split('/');
  const paths = steps.map((_, n) => steps.slice(0, n + 1).join('/'));
  return patterns.some((pattern) => paths.some((path) => matchesGlob(path, pattern)));
}

/** Folder of each workspace package, by package name. */
const packages = new Map(
  [
    'api',
    'worker',
    'web',
    'migrations',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  ].map((folder) => [(JSON.parse(read(`${folder}/package.json`)) as { name: string }).name, folder]),
);

/** The file of an import from this repository; undefined for other packages. */
function resolve(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) {
    const file = join(dirname(from), specifier);
    // The generated route tree imports without extensions.
    return extname(file) === '' ? `${file}.tsx` : file;
  }
  const [scope, name, ...rest] = specifier.split('/');
  const folder = packages.get(`${scope}/${name}`);
  if (folder === undefined) return undefined;
  const { exports } = JSON.parse(read(`${folder}/package.json`)) as { exports: Record<string, string> };
  const file = exports[['.', ...rest].join('/')];
  if (file === undefined) throw new Error(`${from} imports ${specifier}, which ${folder} does not export`);
  return join(folder, file);
}

/** Every source file of this repository that the entries import. */
function importedFiles(): Set<string> {
  const found = new Set<string>(entries);
  for (const file of found) {
    if (!/\.(?:ts|tsx|mjs)$/u.test(file)) continue;
    if (!existsSync(join(root, file))) continue;
    for (const [, specifier = ''] of read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/gu)) {
      const next = resolve(specifier, file);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}

/** The files of the image. */
function* imageFiles(folder = root): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const file = relative(root, path);
    if (isIgnored(file)) continue;
    if (entry.isDirectory()) yield* imageFiles(path);
    else yield file;
  }
}

describe('the image', () => {
  it('contains every file that its programs import', () => {
    const files = [...importedFiles()];
    expect(files.length).toBeGreaterThan(400);
    const absent = files.filter((file) => !existsSync(join(root, file)) || isIgnored(file));
    expect(absent).toEqual([]);
  });

  it('contains no test and no test helper', () => {
    const files = [...imageFiles()];
    expect(files).toContain('Dockerfile');
    expect(files.filter((file) => /\.test\.|\/test(?:ing)?\/.*\.ts$|vitest\.setup/u.test(file))).toEqual([]);
  });

  it('contains the manifest of every workspace package', () => {
    for (const folder of packages.values()) expect(isIgnored(`${folder}/package.json`)).toBe(false);
  });
});
