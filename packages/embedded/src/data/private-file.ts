import { readFile, rename, writeFile } from 'node:fs/promises';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { StartError } from '../startup/start-error.ts';

const restore = 'restore it from a backup of the data folder';

/** Remedies for a file that is complete, but not readable for the user of the process. */
const runAsOwner = 'run this as the user who runs Riskboard and owns the data folder';
const remedies: Readonly<Record<string, string>> = { EACCES: runAsOwner, EPERM: runAsOwner };

const unusable = (path: string, problem: string, remedy = restore): StartError =>
  new StartError(`${path} ${problem}: ${remedy}.`, { exitCode: badConfigurationExit });

/** Reads the JSON object in a file; empty when the file does not exist. @throws StartError when it is not readable */
export async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    const code = error.code ?? 'unknown error';
    throw unusable(path, `cannot be read (${code})`, remedies[code]);
  });
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(path, 'is damaged (not a JSON object)');
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
