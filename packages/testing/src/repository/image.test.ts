import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
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

/** The paths that a line of .dockerignore matches. */
function pathsOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+]/gu, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*/gu, (wildcard) => (wildcard === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`, 'u');
}

const rules = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ ignores: !line.startsWith('!'), paths: pathsOf(line.replace('!', '')) }));

/** The last line that matches a file or a folder above it decides. */
function isIgnored(file: string): boolean {
  const steps = file.split('/');
  const paths = steps.map((_, n) => steps.slice(0, n + 1).join('/'));
  return rules.findLast((rule) => paths.some((path) => rule.paths.test(path)))?.ignores ?? false;
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
    expect(files).toContain('api/src/main.ts');
    expect(files.filter((file) => /\.test\.|\/test(?:ing)?\/.*\.ts$|vitest\.setup/u.test(file))).toEqual([]);
  });

  it('contains no file that is not part of the code', () => {
    const files = [
      'api.env',
      '.env.production',
      'today.backup',
      'today.backup.draft',
      'unknown',
      'backups/riskboard-20260101-0230.backup',
      'data/secrets.json',
      'packages/cli/api.env',
      'packages/cli/all.backup',
      'api/.env',
      '.git/config',
    ];
    expect(files.filter((file) => !isIgnored(file))).toEqual([]);
  });

  it('contains what its build reads and the licences', () => {
    const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'NOTICE', 'THIRD-PARTY-NOTICES'];
    expect(files.filter((file) => !existsSync(join(root, file)) || isIgnored(file))).toEqual([]);
  });

  it('contains the manifest of every workspace package', () => {
    for (const folder of packages.values()) expect(isIgnored(`${folder}/package.json`)).toBe(false);
  });
});
