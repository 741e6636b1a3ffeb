import { formatCount } from '@riskboard/domain';
import { formatList } from '../../../lib/format/format.ts';
import { toast } from '../../../ui/feedback/toast.ts';

interface Found {
  readonly files: File[];
  /** Names of the files and folders that the browser could not read. */
  readonly unreadable: string[];
}

/** Names that the message about unreadable entries has. */
const mostNamed = 3;

/**
 * All readable files of a drop, including those in folders; a message names the others. Must be called before the drop
 * handler returns.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const found: Found = { files: [], unreadable: [] };
  for (const entry of entries) if (entry !== null) await collectAll([entry], found);
  const { files, unreadable } = found;
  if (unreadable.length > 0) toast.error('Some files could not be read', namesText(unreadable));
  return files;
}

function namesText(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return formatList([...names.slice(0, mostNamed), ...(rest > 0 ? [`${formatCount(rest)} more`] : [])]);
}

/** The files of a slice are read at the same time; the page stays responsive between two slices. */
async function collectAll(entries: readonly FileSystemEntry[], found: Found): Promise<void> {
  const files = entries.filter(isFile);
  const results = await Promise.allSettled(files.map(fileOf));
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') found.files.push(result.value);
    else found.unreadable.push(files[index]?.name ?? '');
  }
  for (const entry of entries) if (isDirectory(entry)) await collectFolder(entry, found);
}

async function collectFolder(folder: FileSystemDirectoryEntry, found: Found): Promise<void> {
  try {
    for await (const children of slicesOf(folder)) await collectAll(children, found);
  } catch {
    found.unreadable.push(folder.name);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader returns at most 100 entries per call, and an empty list at the end (File and Directory Entries API). */
async function* slicesOf(directory: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry[]> {
  const reader = directory.createReader();
  for (;;) {
    const slice = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (slice.length === 0) return;
    yield slice;
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
