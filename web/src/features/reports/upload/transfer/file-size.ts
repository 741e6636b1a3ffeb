/** Sizes in bytes of files that were chosen: a browser reads the size from the disk at each access to `File.size`. */
const sizes = new WeakMap<File, number>();

/** Size of a file in bytes, read once. */
export function sizeOf(file: File): number {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const { size } = file;
  sizes.set(file, size);
  return size;
}

/** Milliseconds after which the page may draw and react before more sizes are read. */
const sliceMs = 12;

/** Reads the sizes of thousands of files without blocking the page. */
export async function readSizes(files: readonly File[]): Promise<void> {
  let end = performance.now() + sliceMs;
  for (const file of files) {
    sizeOf(file);
    if (performance.now() < end) continue;
    // The page is served between two slices.
    await new Promise((resolve) => setTimeout(resolve, 0));
    end = performance.now() + sliceMs;
  }
}
