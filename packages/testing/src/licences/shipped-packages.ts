import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The packages that ship; development tools do not. */
const shipped = [
  'api',
  'worker',
  'web',
  'migrations',
  'packages/backup',
  'packages/cli',
  'packages/contract',
  'packages/cvss',
  'packages/db',
  'packages/domain',
  'packages/embedded',
  'packages/operation',
  'packages/queue',
] as const;

export interface Manifest {
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
export function closure(): Map<string, Manifest> {
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

/** The licence of a package as its manifest has it, as an SPDX expression. */
export function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'no licence';
}
