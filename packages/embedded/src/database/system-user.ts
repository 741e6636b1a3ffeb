import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StartError } from '../startup/start-error.ts';

/** The user that the database runs as; PostgreSQL refuses to run as root. */
export interface SystemUser {
  uid: number;
  gid: number;
}

const name = 'postgres';

function lookUp(): SystemUser | undefined {
  const ask = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [uid, gid] = [ask('-u'), ask('-g')];
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * The user for the database: undefined (the current user) unless the current user is root; then the owner of the data
 * or, without data, `postgres`, created if missing.
 * @throws StartError when it cannot be created.
 */
export function databaseUser(data: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const known = lookUp();
  if (known) return known;
  try {
    execFileSync('groupadd', ['--system', '--force', name], { stdio: 'pipe' });
    execFileSync('useradd', ['--system', '--no-create-home', '--gid', name, name], { stdio: 'pipe' });
  } catch (cause) {
    throw new StartError(
      `PostgreSQL does not run as root, and the user "${name}" could not be created: start Riskboard as an ordinary user.`,
      { cause },
    );
  }
  const created = lookUp();
  if (!created) throw new StartError(`The user "${name}" was created, but the system does not list it.`);
  return created;
}

/** Checks through the kernel, which includes parent folders and access lists. */
export function mayUse(user: SystemUser | undefined, access: 'enter' | 'execute', path: string): boolean {
  if (!user) return true;
  const test = access === 'enter' ? ['-d', path, '-a', '-x', path] : ['-x', path];
  return spawnSync('/usr/bin/test', test, { ...user, cwd: '/' }).status === 0;
}
