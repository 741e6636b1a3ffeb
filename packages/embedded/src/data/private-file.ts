import { readFile, rename, writeFile } from 'node:fs/promises';

/** Reads the JSON object in a file; empty when the file does not exist. */
export async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Writes a file that only its owner can read, atomically. */
export async function writePrivateJson(path: string, value: object): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}
