import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { StartError } from '../startup/start-error.ts';
import { explainFullDisk } from './disk-full.ts';

const path = tmpdir();
const withCode = (code: string): Error => Object.assign(new Error('could not extend file'), { code });
const full = {
  message: `The data folder ${path} is on a full disk: free space on it, or set DATA_DIR to a folder on another disk.`,
  exitCode: 78,
};

it.each([
  ['PostgreSQL', withCode('53100')],
  ['a migration', new StartError('The database could not be prepared', { cause: withCode('53100') })],
  ['initdb', new StartError('initdb failed: could not write to file "base/4/1249": No space left on device')],
])('the full disk of the embedded database is one line with the remedy and 78: %s', async (_of, error) => {
  expect(await explainFullDisk(error, { path, hasDatabase: true })).toMatchObject(full);
  expect(await explainFullDisk(error, { path, hasDatabase: false })).toBe(error);
});

it('a file that cannot be written is a full data folder with any database', async () => {
  const error: unknown = await writeFile('/dev/full', 'x').catch((cause: unknown) => cause);
  for (const hasDatabase of [true, false])
    expect(await explainFullDisk(error, { path, hasDatabase })).toMatchObject(full);
});

it('a lost connection is a full disk when there is no space for the log of PostgreSQL', async () => {
  const error = new Error('Connection terminated unexpectedly');
  // A file system without space.
  expect(await explainFullDisk(error, { path: '/proc', hasDatabase: true })).toMatchObject({ exitCode: 78 });
  expect(await explainFullDisk(error, { path, hasDatabase: true })).toBe(error);
});

it('an error of the configuration stays as it is', async () => {
  const error = new StartError('Port 3000 is in use', { exitCode: 78 });
  expect(await explainFullDisk(error, { path: '/proc', hasDatabase: true })).toBe(error);
});
