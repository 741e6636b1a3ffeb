import { execFileSync } from 'node:child_process';
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
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../run.ts';

const csv = 'name,severity\r\nLeak,5\r\n';

let server: Server;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-export-'));
  server = createServer((_request, response) => void response.end(csv));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  await rm(folder, { recursive: true });
});

/** Exports the threats to a file of the folder. */
async function exportTo(name: string) {
  let stderr = '';
  const { port } = server.address() as AddressInfo;
  const code = await runCommandLine(['export', 'threats', '--out', name], {
    stdout: { write: () => undefined },
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
