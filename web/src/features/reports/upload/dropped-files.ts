/** All files of a drop, including those in folders. Must be called before the drop handler returns. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const found: File[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (isFile(entry)) found.push(await fileOf(entry));
  else if (isDirectory(entry))
    for await (const children of slicesOf(entry)) await collectAll(children, found);
}

/** The files of a slice are read at the same time; the page stays responsive between two slices. */
async function collectAll(children: readonly FileSystemEntry[], found: File[]): Promise<void> {
  found.push(...(await Promise.all(children.filter(isFile).map(fileOf))));
  for (const child of children) if (isDirectory(child)) await collect(child, found);
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
