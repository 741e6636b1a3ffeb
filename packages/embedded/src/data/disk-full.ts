import { badConfigurationExit } from '@riskboard/contract/environment';
import { freeBytes } from '@riskboard/operation/disk-space';
import { StartError } from '../startup/start-error.ts';

/** Codes of file calls when the disk is full or its quota is used up. */
export const fullDiskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** SQLSTATE disk_full. */
const postgresCode = '53100';
/** initdb and the log of PostgreSQL have no codes; both run without a locale. */
const texts = /No space left on device|Disk quota exceeded/u;
/** PostgreSQL ends when it cannot create the next file of its log, which has 16 MiB; its clients only lose connections. */
const logFileBytes = 16 * 1024 ** 2;

/** What to do about a full disk; follows the name of a folder. */
export const fullDiskRemedy = (variable: string): string =>
  `is on a full disk: free space on it, or set ${variable} to a folder on another disk`;

interface DataFolder {
  path: string;
  /** Whether the embedded database is in it. */
  hasDatabase: boolean;
}

function namesFullDisk(error: unknown, hasDatabase: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (fullDiskCodes.has(code)) return true;
  if (hasDatabase && (code === postgresCode || texts.test(error.message))) return true;
  return namesFullDisk(error.cause, hasDatabase);
}

/**
 * The error to report for a failed start: that of a full disk, if the disk of the data folder is the cause; else the given
 * one. Errors of the configuration stay as they are.
 */
export async function explainFullDisk(error: unknown, { path, hasDatabase }: DataFolder): Promise<unknown> {
  if (error instanceof StartError && error.exitCode === badConfigurationExit) return error;
  const isFull = namesFullDisk(error, hasDatabase) || (hasDatabase && (await freeBytes(path)) < logFileBytes);
  if (!isFull) return error;
  return new StartError(`The data folder ${path} ${fullDiskRemedy('DATA_DIR')}.`, {
    exitCode: badConfigurationExit,
    cause: error,
  });
}
