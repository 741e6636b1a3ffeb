import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('../../../../scripts', import.meta.url));
const run = promisify(execFile);

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A folder with the scripts of the repository alone. */
async function repositoryIn(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  folders.push(folder);
  await cp(scripts, join(folder, 'scripts'), { recursive: true });
  return folder;
}

const start = (folder: string) => run(process.execPath, [join(folder, 'scripts/run.mjs'), 'start']);

it.each([
  ['UTF-8', Buffer.from('\uFEFFSIGNUP=invite\n')],
  ['UTF-16', Buffer.from('\uFEFFSIGNUP=invite\n', 'utf16le')],
])(
  'a start with a byte order mark of %s in .env, which would drop a variable, ends before it installs',
  async (_, bytes) => {
    const folder = await repositoryIn('riskboard-mark-');
    await writeFile(join(folder, '.env'), bytes);
    await expect(start(folder)).rejects.toMatchObject({
      code: 78,
      stderr: '.env begins with a byte order mark: save it as UTF-8 without one.\n',
    });
  },
);

it('a start in a folder in which the web cannot be built ends before it installs', async () => {
  const folder = await repositoryIn('riskboard#c-');
  await expect(start(folder)).rejects.toMatchObject({
    code: 1,
    stderr: `Riskboard cannot be built in a folder whose path has # or ?: move ${folder}.\n`,
  });
});
