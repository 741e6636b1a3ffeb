import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findFiles } from './find-files.ts';

// Root, who runs the tests in containers, can read every folder.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, readdir: vi.fn<typeof real.readdir>(real.readdir) };
});

it('a folder below a folder that cannot be read is an error for the user, with its path', async () => {
  const error = Object.assign(new Error('permission denied'), {
    code: 'EACCES',
    path: join(tmpdir(), 'reports/locked'),
  });
  vi.mocked(readdir).mockRejectedValueOnce(error);
  await expect(findFiles(['.'], tmpdir())).rejects.toMatchObject({
    name: 'CliError',
    message: 'reports/locked cannot be read (EACCES).',
    exitCode: 1,
  });
});

it.each([
  ['of composed and decomposed characters', 'Überblick.json', 'U\u0308berblick.json'],
  ['of a direction mark', 'a.json', 'a\u200E.json'],
  ['of a space', 'a.json', ' a.json'],
])('refuses files whose names the server does not distinguish, because %s', async (_, one, other) => {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-names-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of [one, other]) await writeFile(join(folder, name), '{}');
  await expect(findFiles(['.'], folder)).rejects.toMatchObject({
    message: expect.stringContaining('have the same name') as string,
    exitCode: 2,
  });
});
