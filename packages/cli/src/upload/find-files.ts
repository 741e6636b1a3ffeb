import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { CliError, exits } from '../command.ts';

export interface FoundFile {
  path: string;
  /** As the user named it. */
  shown: string;
  /** Name on the server. */
  name: string;
  /** Bytes. */
  size: number;
}

const isReport = (name: string): boolean => /\.(?:json|xml)$/iu.test(name);

async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isReport(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/**
 * The reports among paths: files as they are named, and of folders every .json and .xml file below them.
 * @throws CliError when a path does not exist, nothing is found, or two files would replace each other on the server
 */
export async function findFiles(given: readonly string[], from: string): Promise<FoundFile[]> {
  const paths = new Set<string>();
  for (const operand of given) {
    const path = resolve(from, operand);
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new CliError(`${operand} cannot be read (${error.code}).`);
    });
    for (const one of found.isDirectory() ? await pathsIn(path) : [path]) paths.add(one);
  }
  if (paths.size === 0) throw new CliError('There is no .json or .xml file in the folders.');
  const files: FoundFile[] = [];
  for (const path of paths) {
    const { size } = await stat(path);
    files.push({ path, shown: relative(from, path) || path, name: basename(path), size });
  }
  requireDistinctNames(files);
  return files;
}

/** Names are unique on the server regardless of case. */
function requireDistinctNames(files: readonly FoundFile[]): void {
  const known = new Map<string, FoundFile>();
  for (const file of files) {
    const key = file.name.toLowerCase();
    const other = known.get(key);
    if (other !== undefined)
      throw new CliError(
        `${other.shown} and ${file.shown} have the same name: the second one would replace the first one. Upload them apart, or rename one.`,
        exits.usage,
      );
    known.set(key, file);
  }
}
