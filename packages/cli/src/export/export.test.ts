import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../run.ts';

const csv = 'name,severity\r\nLeak,5\r\n';

let server: Server;
let folder: string;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-export-'));
  answer = (response) => void response.end(csv);
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  await rm(folder, { recursive: true });
});

const exportTo = (name: string) => run('--out', name);

/** Exports the threats. */
async function run(...given: string[]) {
  let stderr = '';
  const { port } = server.address() as AddressInfo;
  const code = await runCommandLine(['export', 'threats', ...given], {
    stdout: { write: (_part, done) => done?.() },
    stderr: { write: (part) => void (stderr += String(part)) },
    environment: { RISKBOARD_URL: `http://127.0.0.1:${port}`, RISKBOARD_TOKEN: 'rb_token' },
    folder,
    signal: new AbortController().signal,
  });
  return { code, stderr };
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('export --out', () => {
  it('creates a file that only its owner can read', async () => {
    const path = join(folder, 'threats.csv');
    expect(await exportTo('threats.csv')).toEqual({ code: 0, stderr: `Exported threats to ${path}.\n` });
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual([csv, 0o600]);
  });

  it('keeps the mode of an existing file, and the symbolic link to it', async () => {
    const path = join(folder, 'threats.csv');
    await writeFile(path, 'old');
    await chmod(path, 0o644);
    await symlink('threats.csv', join(folder, 'link.csv'));
    expect(await exportTo('link.csv')).toMatchObject({ code: 0 });
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual([csv, 0o644]);
    expect((await lstat(join(folder, 'link.csv'))).isSymbolicLink()).toBe(true);
    expect(await readdir(folder)).toEqual(['link.csv', 'threats.csv']);
  });

  it('writes to a named pipe instead of replacing it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    // Opened for both directions, neither this nor the export waits for the other.
    await using pipe = await open(path, 'r+');
    expect(await exportTo('pipe')).toMatchObject({ code: 0 });
    expect((await lstat(path)).isFIFO()).toBe(true);
    const { buffer, bytesRead } = await pipe.read();
    expect(buffer.toString('utf8', 0, bytesRead)).toBe(csv);
  });

  it('exits with 1 and one line when the draft can be neither created nor removed', async () => {
    // With the suffix of a draft it is longer than any name of a file.
    const { code, stderr } = await exportTo('x'.repeat(250));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\/.*: ENAMETOOLONG: name too long, open .*\n$/u);
  });
});

it.each([{ given: [] }, { given: ['--out', 'threats.csv'] }])(
  'an export whose connection is closed before its end exits with 1 and blames the server: $given',
  async ({ given }) => {
    answer = (response) => void response.write(csv, () => response.destroy());
    const { code, stderr } = await run(...given);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^http:\S+ closed the connection before the export was complete\. Run the command again\.\n$/u,
      ),
    });
    expect(await readdir(folder)).toEqual([]);
  },
);

it.runIf(existsSync('/dev/full'))('a full disk of standard output exits with 1 and its error', () => {
  const main = join(import.meta.dirname, '../main.ts');
  const full = openSync('/dev/full', 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'Standard output cannot be written to: ENOSPC: no space left on device, write\n',
    });
  } finally {
    closeSync(full);
  }
});
