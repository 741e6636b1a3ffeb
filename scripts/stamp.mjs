import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

const skipped = new Set(['node_modules', 'dist']);

function* filesIn(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) return yield path;
  for (const name of readdirSync(path).toSorted()) if (!skipped.has(name)) yield* filesIn(join(path, name));
}

/** A hash over the names and contents of files and folders of the repository. */
export function hashOf(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const path of paths) {
    for (const file of filesIn(join(root, path))) {
      hash
        .update(`${relative(root, file)}\n`)
        .update(createHash('sha256').update(readFileSync(file)).digest());
    }
  }
  return hash.digest('hex');
}

/** Whether the stamp was written for inputs with this hash. */
export const isStamped = (file, hash) =>
  existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === hash;

export const stamp = (file, hash) => writeFileSync(join(root, file), hash);
