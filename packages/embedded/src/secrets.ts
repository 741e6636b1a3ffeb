import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writePrivateJson } from './private-file.ts';

const names = ['superuserPassword', 'databasePassword', 'sessionSecret'] as const;

/** What this installation made up for itself. */
export type Secrets = Record<(typeof names)[number], string>;

/** Reads `secrets.json` of the data folder, and makes up and keeps what is absent there. */
export async function keepSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const known = await readJson(path);
  const entries = names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')] as const);
  if (entries.some(([name]) => known[name] === undefined)) {
    await writePrivateJson(path, { ...known, ...Object.fromEntries(entries) });
  }
  return Object.fromEntries(entries) as Secrets;
}
