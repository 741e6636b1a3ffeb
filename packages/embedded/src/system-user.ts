import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StartError } from './say.ts';

/** The account that the database runs under; PostgreSQL refuses to run as root. */
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
 * The account for the database: undefined (the caller's own) unless the caller is root, then the owner of the data,
 * and before there are any `postgres`, made when the machine has none.
 * @throws StartError when it cannot be made.
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
      `PostgreSQL does not run as root, and the user "${name}" could not be made: start Riskboard as an ordinary user.`,
      { cause },
    );
  }
  const made = lookUp();
  if (!made) throw new StartError(`The user "${name}" was made but is not known to this machine.`);
  return made;
}

/** Asks the kernel itself, so that every folder on the way and every access list counts. */
export function mayUse(user: SystemUser | undefined, access: 'enter' | 'execute', path: string): boolean {
  if (!user) return true;
  const test = access === 'enter' ? ['-d', path, '-a', '-x', path] : ['-x', path];
  return spawnSync('/usr/bin/test', test, { ...user, cwd: '/' }).status === 0;
}
