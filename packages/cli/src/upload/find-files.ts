import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { reportName } from '@riskboard/domain';
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

/** The error of a file or folder that cannot be read. */
export const unreadable = (shown: string, error: unknown): CliError =>
  new CliError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exits.failed, error);

/** Paths that lead to other files than `known` and each other; a link without a file stays, and is reported when it is sent. */
async function otherFiles(links: readonly string[], known: readonly string[]): Promise<string[]> {
  const found = new Set(await Promise.all(known.map((path) => realpath(path))));
  const others: string[] = [];
  for (const link of links) {
    const target = await realpath(link).catch(() => link);
    const isFolder = await stat(link).then(
      (status) => status.isDirectory(),
      () => false,
    );
    if (isFolder || found.has(target)) continue;
    found.add(target);
    others.push(link);
  }
  return others;
}

/** The reports below a folder. Links to files count, but not to those that are below it as well, and not to folders. */
async function pathsIn(folder: string, from: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw unreadable(relative(from, error.path ?? folder) || folder, error);
    },
  );
  const reports = entries.filter(({ name }) => isReport(name));
  const pathOf = ({ parentPath, name }: (typeof entries)[number]): string => join(parentPath, name);
  const files = reports.filter((entry) => entry.isFile()).map(pathOf);
  const links = reports.filter((entry) => entry.isSymbolicLink()).map(pathOf);
  return [...files, ...(await otherFiles(links.toSorted(), files))].toSorted();
}

/**
 * The reports among paths: files as they are named, and of folders every .json and .xml file below them.
 * @throws CliError when a path does not exist, nothing is found, or two files would replace each other on the server
 */
export async function findFiles(given: readonly string[], from: string): Promise<FoundFile[]> {
  const paths = new Set<string>();
  for (const operand of given) {
    const path = resolve(from, operand);
    const found = await stat(path).catch((error: unknown) => {
      throw unreadable(operand, error);
    });
    for (const one of found.isDirectory() ? await pathsIn(path, from) : [path]) paths.add(one);
  }
  if (paths.size === 0) throw new CliError('There is no .json or .xml file in the folders.');
  const files: FoundFile[] = [];
  for (const path of paths) {
    // A file that has been removed meanwhile is reported when it is sent.
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    files.push({ path, shown: relative(from, path) || path, name: basename(path), size });
  }
  requireDistinctNames(files);
  return files;
}

/** The server stores a file under its `reportName`, which is unique regardless of case. */
function requireDistinctNames(files: readonly FoundFile[]): void {
  const known = new Map<string, FoundFile>();
  for (const file of files) {
    const key = reportName(file.name).toLowerCase();
    const other = known.get(key);
    if (other !== undefined)
      throw new CliError(
        `${other.shown} and ${file.shown} have the same name: the second one would replace the first one. Upload them apart, or rename one.`,
        exits.usage,
      );
    known.set(key, file);
  }
}
