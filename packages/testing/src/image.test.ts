import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What Dockerfile and docker-compose.yml start or build. */
const entries = [
  'api/src/main.ts',
  'worker/src/main.ts',
  'packages/embedded/src/migrate-main.ts',
  'scripts/is-live.mjs',
  'web/vite.config.ts',
  'web/src/main.tsx',
] as const;

const patterns = read('.dockerignore').split('\n').filter(Boolean);

/** A folder that is left out takes all below it along. */
function isLeftOut(file: string): boolean {
  const steps = file.split('/');
  const paths = steps.map((_, n) => steps.slice(0, n + 1).join('/'));
  return patterns.some((pattern) => paths.some((path) => matchesGlob(path, pattern)));
}

/** Folder of each package of the workspace, by its name. */
const packages = new Map(
  [
    'api',
    'worker',
    'web',
    'migrations',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  ].map((folder) => [(JSON.parse(read(`${folder}/package.json`)) as { name: string }).name, folder]),
);

/** The file that an import of ours names; nothing for a package from elsewhere. */
function resolve(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) {
    const file = join(dirname(from), specifier);
    // The generated tree of the routes names no endings.
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

/** Every source file of ours that the entries reach. */
function reached(): Set<string> {
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

/** The files that an image is built of. */
function* kept(folder = root): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const file = relative(root, path);
    if (isLeftOut(file)) continue;
    if (entry.isDirectory()) yield* kept(path);
    else yield file;
  }
}

describe('the image', () => {
  it('has every file that its programs import', () => {
    const files = [...reached()];
    expect(files.length).toBeGreaterThan(400);
    const absent = files.filter((file) => !existsSync(join(root, file)) || isLeftOut(file));
    expect(absent).toEqual([]);
  });

  it('has neither tests nor what only they use', () => {
    const files = [...kept()];
    expect(files).toContain('Dockerfile');
    expect(files.filter((file) => /\.test\.|\/test(?:ing)?\/.*\.ts$|vitest\.setup/u.test(file))).toEqual([]);
  });

  it('has the manifest of every package, which the lockfile names', () => {
    for (const folder of packages.values()) expect(isLeftOut(`${folder}/package.json`)).toBe(false);
  });
});
