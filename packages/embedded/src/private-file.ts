import { readFile, rename, writeFile } from 'node:fs/promises';

/** The JSON object in a file; empty when there is none yet. */
export async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Writes for the owner's eyes only; a reader sees the old file or the new one, never a half. */
export async function writePrivateJson(path: string, value: object): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}
