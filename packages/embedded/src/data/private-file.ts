import { readFile, rename, writeFile } from 'node:fs/promises';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { StartError } from '../startup/start-error.ts';

const broken = (path: string, problem: string): StartError =>
  new StartError(`${path} ${problem}: restore it from a backup of the data folder.`, {
    exitCode: badConfigurationExit,
  });

/** Reads the JSON object in a file; empty when the file does not exist. @throws StartError when it is not readable */
export async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw broken(path, `cannot be read (${error.code ?? 'unknown error'})`);
  });
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw broken(path, 'is damaged (not a JSON object)');
  return value as Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a file that only its owner can read, atomically. */
export async function writePrivateJson(path: string, value: object): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}
