import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findDatabaseHome,
  makeDataFolder,
  readDatabaseSettings,
  saveDatabaseSettings,
} from './data-folder.ts';
import { lockInstance } from './instance-lock.ts';
import { loadSecrets } from './secrets.ts';

const isRoot = process.getuid?.() === 0;
let outer = '';
let folder = '';

beforeEach(async () => {
  // mkdtemp creates a folder that others may not enter, like root's home.
  outer = await mkdtemp(join(tmpdir(), 'riskboard-data-'));
  folder = join(outer, 'data');
});
afterEach(() => rm(outer, { recursive: true, force: true }));

describe('loadSecrets', () => {
  it('generates the secrets once, readable by the owner only', async () => {
    await makeDataFolder(folder);
    const first = await loadSecrets(folder);
    expect(await loadSecrets(folder)).toEqual(first);
    expect(new Set(Object.values(first)).size).toBe(5);
    // SESSION_SECRET must have at least 32 characters.
    expect(first.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('makeDataFolder', () => {
  it('creates missing parent folders, and accepts an existing folder', async () => {
    const deep = join(folder, 'a', 'b');
    await makeDataFolder(deep);
    await makeDataFolder(deep);
    expect((await stat(deep)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  });

  it('refuses a file, and a path below a file, as invalid configuration', async () => {
    await writeFile(folder, '');
    for (const [path, code] of [
      [folder, 'EEXIST'],
      [join(folder, 'x'), 'EEXIST'],
    ] as const) {
      const refusal = makeDataFolder(path);
      await expect(refusal).rejects.toThrow(
        `${path} cannot be created (${code}): set DATA_DIR to another folder.`,
      );
      await expect(refusal).rejects.toMatchObject({ exitCode: 78 });
    }
  });

  it.runIf(process.platform === 'linux')('refuses a location that accepts no folders', async () => {
    await expect(makeDataFolder('/proc/riskboard/data')).rejects.toThrow('(ENOENT)');
  });
});

describe('lockInstance', () => {
  it('refuses a second instance with the process id of the first, until the release', async () => {
    await makeDataFolder(folder);
    const release = await lockInstance(folder);
    await expect(lockInstance(folder)).rejects.toThrow(`already runs on ${folder} (process ${process.pid})`);
    await release();
    await (
      await lockInstance(folder)
    )();
  });

  it('reports a path that is too long for a socket', async () => {
    const long = join(outer, 'x'.repeat(120));
    await makeDataFolder(long);
    await expect(lockInstance(long)).rejects.toThrow(/DATA_DIR is too long a path/);
  });
});

describe('findDatabaseHome', () => {
  it.skipIf(isRoot)('is the data folder for an ordinary user', async () => {
    await makeDataFolder(folder);
    expect(await findDatabaseHome(folder)).toBe(folder);
  });

  it.runIf(isRoot)(
    'is a separate, stored folder when the database user may not enter the data folder',
    async () => {
      await makeDataFolder(folder);
      const home = await findDatabaseHome(folder);
      try {
        expect(home).toMatch(/^\/var\/lib\/riskboard-[0-9a-f]{8}$/);
        await saveDatabaseSettings(folder, { port: 5433 });
        expect(await readDatabaseSettings(folder)).toEqual({ home, port: 5433 });
        expect(await findDatabaseHome(folder)).toBe(home);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});
