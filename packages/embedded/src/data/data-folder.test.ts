import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase, makeBackupFolder, makeDataFolder, saveDatabaseSettings } from './data-folder.ts';
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
    expect(new Set(Object.values(first)).size).toBe(6);
    // SESSION_SECRET must have at least 32 characters.
    expect(first.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('loadSecrets refuses as invalid configuration', () => {
  const secretsFile = () => join(folder, 'secrets.json');
  const refusal = async (): Promise<string> => {
    const refused = loadSecrets(folder);
    await expect(refused).rejects.toMatchObject({ name: 'StartError', exitCode: 78 });
    return refused.then(
      () => '',
      (error: Error) => error.message,
    );
  };
  beforeEach(() => makeDataFolder(folder));

  it.each(['', '{"sessionSecret": "ab', '[]', 'null'])(
    'a file that is not a JSON object: %j',
    async (text) => {
      await writeFile(secretsFile(), text);
      expect(await refusal()).toBe(
        `${folder}/secrets.json is damaged (not a JSON object): restore it from a backup of the data folder.`,
      );
    },
  );

  it.each([7, '', 'short', null])(
    'a secret that is not one, %j, and names it without its value',
    async (value) => {
      await writeFile(secretsFile(), JSON.stringify({ ...(await loadSecrets(folder)), webhookKey: value }));
      expect(await refusal()).toContain('secrets.json is damaged (webhookKey): restore it');
    },
  );

  it('a file of another user, and says which user can read it', async () => {
    await writeFile(secretsFile(), '{}', { mode: 0 });
    // Root can read every file.
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await refusal()).toBe(
        `${folder}/secrets.json cannot be read (EACCES): run this as the user who runs Riskboard and owns the data folder.`,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('a missing file, when the database exists, because new passwords would not open it', async () => {
    await makeDataFolder(join(folder, 'postgres'));
    expect(await refusal()).toContain('secrets.json is missing or has no superuserPassword');
  });

  it('nothing when a file of an earlier version lacks a newer secret, which it generates', async () => {
    const { webhookKey, ...earlier } = await loadSecrets(folder);
    await makeDataFolder(join(folder, 'postgres'));
    await writeFile(secretsFile(), JSON.stringify(earlier));
    const secrets = await loadSecrets(folder);
    expect(secrets).toMatchObject(earlier);
    expect(secrets.webhookKey).not.toBe(webhookKey);
  });
});

it('the folder of the backups is created and checked in the same way, with its variable in the refusal', async () => {
  await makeBackupFolder(join(folder, 'daily'));
  expect((await stat(join(folder, 'daily'))).mode & 0o777).toBe(0o700);
  await expect(makeBackupFolder('/proc/nope')).rejects.toMatchObject({
    name: 'StartError',
    exitCode: 78,
    message:
      'The folder of the backups /proc/nope cannot be created (ENOENT): set BACKUP_DIR to another folder.',
  });
});

describe('makeDataFolder', () => {
  it.skipIf(isRoot)('refuses a folder that this user may not write to, and leaves no file', async () => {
    await makeDataFolder(folder);
    await chmod(folder, 0o500);
    const refusal = makeDataFolder(folder);
    await expect(refusal).rejects.toMatchObject({ exitCode: 78 });
    await expect(refusal).rejects.toThrow('is not writable by this user: change its owner, or set DATA_DIR');
  });

  it.runIf(process.platform === 'linux')('refuses a folder of a read-only file system', async () => {
    // Files of the kernel accept no new ones, even from root.
    const refusal = makeDataFolder('/proc/self');
    await expect(refusal).rejects.toMatchObject({ exitCode: 78 });
    await expect(refusal).rejects.toThrow(/^The data folder \/proc\/self is not writable/u);
  });

  it('leaves no file of its check', async () => {
    await makeDataFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });

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
    await expect(lockInstance(folder)).rejects.toThrow(
      `already running on ${folder} (process ${process.pid})`,
    );
    await release();
    await (
      await lockInstance(folder)
    )();
  });

  /** What a killed process leaves. */
  const leaveSocket = async (name: string) => {
    const program = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', program, join(folder, name)]), 'exit');
    expect(await readdir(folder)).toContain(name);
  };

  it.each([
    ['in a new folder', undefined],
    ['after a killed instance', 'lock-1.sock'],
    ['after a killed instance of an earlier version', 'supervisor.sock'],
  ])('lets one of several instances start that are started at once %s', async (_when, left) => {
    await makeDataFolder(folder);
    for (let round = 0; round < 10; round += 1) {
      if (left !== undefined) await leaveSocket(left);
      const starts = await Promise.allSettled(Array.from({ length: 5 }, () => lockInstance(folder)));
      const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
      expect(refused).toHaveLength(4);
      for (const reason of refused) expect(reason).toContain('is already running on');
      await expect(lockInstance(folder)).rejects.toThrow('is already running on');
      expect(await readdir(folder)).toHaveLength(1);
      for (const start of starts) if (start.status === 'fulfilled') await start.value();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('lets every user of the folder check whether the process runs', async () => {
    await makeDataFolder(folder);
    const release = await lockInstance(folder);
    expect((await stat(join(folder, 'lock-1.sock'))).mode & 0o222).toBe(0o222);
    await release();
  });

  it('refuses a start while it cannot check a lock, and keeps that lock', async () => {
    await makeDataFolder(folder);
    // A link to itself: an error other than the two of an ended process, also for root.
    await symlink('lock-1.sock', join(folder, 'lock-1.sock'));
    const refusal = lockInstance(folder);
    await expect(refusal).rejects.toMatchObject({ name: 'StartError' });
    await expect(refusal).rejects.toThrow(/lock-1\.sock cannot be checked \(ELOOP\)/u);
    expect(await readdir(folder)).toEqual(['lock-1.sock']);
  });

  it('reports a path that is too long for a socket', async () => {
    const long = join(outer, 'x'.repeat(120));
    await makeDataFolder(long);
    await expect(lockInstance(long)).rejects.toThrow(
      /The path of DATA_DIR is too long .* at most 103 bytes: set DATA_DIR/,
    );
  });
});

describe('checkDatabase', () => {
  const refusal = async (): Promise<unknown> => {
    const refused = checkDatabase(folder);
    await expect(refused).rejects.toMatchObject({ exitCode: 78 });
    return refused.catch((error: Error) => error.message);
  };
  const makeData = async (at: string): Promise<void> => {
    await makeDataFolder(at);
    await writeFile(join(at, 'PG_VERSION'), '18\n');
  };
  beforeEach(() => makeDataFolder(folder));

  it('accepts a new data folder, and one with its database', async () => {
    await expect(checkDatabase(folder)).resolves.toBeUndefined();
    await saveDatabaseSettings(folder, { port: 5433, created: true });
    await makeData(join(folder, 'postgres'));
    await expect(checkDatabase(folder)).resolves.toBeUndefined();
  });

  it.each([{ created: true } as const, { port: 5433 }])(
    'refuses a data folder whose database has been lost: %j',
    async (settings) => {
      await saveDatabaseSettings(folder, settings);
      expect(await refusal()).toBe(
        `The database of ${folder} is missing: restore ${folder}/postgres from a backup, or set DATA_DIR to a new folder to start empty.`,
      );
    },
  );

  it('refuses an incomplete copy', async () => {
    await makeDataFolder(join(folder, 'postgres'));
    expect(await refusal()).toContain(`${folder}/postgres is incomplete (PG_VERSION is missing)`);
  });

  it('refuses a link, because two data folders could then use one database', async () => {
    await makeData(join(outer, 'elsewhere'));
    await symlink(join(outer, 'elsewhere'), join(folder, 'postgres'));
    expect(await refusal()).toContain(`is a link to ${outer}/elsewhere`);
    await rm(join(outer, 'elsewhere'), { recursive: true });
    expect(await refusal()).toContain('is a link to a folder that does not exist');
  });

  it('refuses a database that an earlier version put elsewhere, and says how to move it', async () => {
    const home = join(outer, 'var-lib');
    await makeData(join(home, 'postgres'));
    await saveDatabaseSettings(folder, { home, port: 5433 });
    expect(await refusal()).toContain(`run: mv ${home}/postgres ${folder}/`);
    await rename(join(home, 'postgres'), join(folder, 'postgres'));
    await checkDatabase(folder);
  });

  it('accepts a data folder that is reached through a link', async () => {
    await makeData(join(folder, 'postgres'));
    await symlink(folder, join(outer, 'link'));
    await expect(checkDatabase(join(outer, 'link'))).resolves.toBeUndefined();
  });
});
