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
function hashOf(paths) {
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

/** A hash over names, sizes and times of change: a tenth of the time of their contents. */
function statesOf(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const path of paths)
    for (const file of filesIn(join(root, path))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

/** Whether the stamp was written for inputs of this content. */
export function isCurrent(file, inputs) {
  const path = join(root, file);
  const [hash, states] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  if (states !== undefined && states === statesOf(inputs)) return true;
  if (hash === undefined || hash !== hashOf(inputs)) return false;
  // Files that were written again with the same content.
  stamp(file, inputs);
  return true;
}

export const stamp = (file, inputs) =>
  writeFileSync(join(root, file), `${hashOf(inputs)}\n${statesOf(inputs)}`);
