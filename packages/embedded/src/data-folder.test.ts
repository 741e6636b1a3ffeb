import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDatabaseHome, makeDataFolder, recallDatabase, rememberDatabase } from './data-folder.ts';
import { lockInstance } from './instance-lock.ts';
import { keepSecrets } from './secrets.ts';

const isRoot = process.getuid?.() === 0;
let outer = '';
let folder = '';

beforeEach(async () => {
  // mkdtemp makes a folder that is closed to others, as root's home is.
  outer = await mkdtemp(join(tmpdir(), 'riskboard-data-'));
  folder = join(outer, 'data');
});
afterEach(() => rm(outer, { recursive: true, force: true }));

describe('keepSecrets', () => {
  it('makes them up once, for the owner only', async () => {
    await makeDataFolder(folder);
    const first = await keepSecrets(folder);
    expect(await keepSecrets(folder)).toEqual(first);
    expect(new Set(Object.values(first)).size).toBe(3);
    // SESSION_SECRET must have at least 32 characters.
    expect(first.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('makeDataFolder', () => {
  it('makes what is missing above it too, and takes what is there', async () => {
    const deep = join(folder, 'a', 'b');
    await makeDataFolder(deep);
    await makeDataFolder(deep);
    expect((await stat(deep)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  });

  it('refuses a file, and what is below one, as bad configuration', async () => {
    await writeFile(folder, '');
    for (const [path, code] of [
      [folder, 'EEXIST'],
      [join(folder, 'x'), 'EEXIST'],
    ] as const) {
      const refusal = makeDataFolder(path);
      await expect(refusal).rejects.toThrow(
        `${path} cannot be made (${code}): set DATA_DIR to one that can.`,
      );
      await expect(refusal).rejects.toMatchObject({ exitCode: 78 });
    }
  });

  it.runIf(process.platform === 'linux')('refuses a place that takes no folders, and ends', async () => {
    await expect(makeDataFolder('/proc/riskboard/data')).rejects.toThrow('(ENOENT)');
  });
});

describe('lockInstance', () => {
  it('refuses a second one and names the first, and lets go', async () => {
    await makeDataFolder(folder);
    const release = await lockInstance(folder);
    await expect(lockInstance(folder)).rejects.toThrow(`already runs on ${folder} (process ${process.pid})`);
    await release();
    await (
      await lockInstance(folder)
    )();
  });

  it('works below a path too long for a socket, or says so', async () => {
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

  it.runIf(isRoot)('is another, remembered one, where the user of the database may not enter', async () => {
    await makeDataFolder(folder);
    const home = await findDatabaseHome(folder);
    try {
      expect(home).toMatch(/^\/var\/lib\/riskboard-[0-9a-f]{8}$/);
      await rememberDatabase(folder, { port: 5433 });
      expect(await recallDatabase(folder)).toEqual({ home, port: 5433 });
      expect(await findDatabaseHome(folder)).toBe(home);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
