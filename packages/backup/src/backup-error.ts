/** A reason for which a backup or restore is refused, with the remedy; printed as one line, without a stack. */
export class BackupError extends Error {
  override name = 'BackupError';
  /** EX_CONFIG and the like are for the caller: a refused backup or restore has failed. */
  readonly exitCode = 1;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** @returns a BackupError for an error of the file system or of PostgreSQL; other BackupErrors unchanged */
export function asBackupError(what: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  const { code, syscall, detail } = error as NodeJS.ErrnoException & { detail?: string };
  const reason = code === undefined ? undefined : (syscall === 'connect' ? connection : reasons)[code];
  const shown = [reason ?? (error as Error).message, ...(code === uniqueViolation ? [detail] : [])];
  return new BackupError(`${what}: ${shown.join(': ')}`, error);
}

/** Its detail names the key. */
const uniqueViolation = '23505';

/** Of an error while connecting. */
const connection: Readonly<Record<string, string>> = {
  // The UNIX socket of a server is missing while it does not run.
  ENOENT: 'the database does not run',
  ECONNREFUSED: 'the database refuses connections',
};

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'the file or its folder does not exist',
  EISDIR: 'this is a folder, not a file',
  EEXIST: 'a file with this name exists already',
  '55P03': 'the database is busy with a migration or another change of its structure; try again later',
  [uniqueViolation]:
    'two rows have the same key in this database, which may compare upper and lower case by other rules (locale provider, LC_CTYPE) than that of the backup',
  '57P01': 'the database ended the connection',
};
