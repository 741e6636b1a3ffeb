import { resolve } from 'node:path';
import { createBackup, keepBackups, readDailyTime } from '@riskboard/backup';
import { readWorkerEnvironment } from '@riskboard/contract/environment';
import {
  backupSource,
  makeBackupFolder,
  openServerDatabase,
  printerTo,
  secretNames,
  secretsOf,
} from '@riskboard/embedded';
import { CliError, exits, type Io, type Run } from '../command.ts';
import { progressLine, sizeText } from '../terminal/progress.ts';

type BackupOptions = {
  schedule: { type: 'boolean'; help: string };
  'without-secrets': { type: 'boolean'; help: string };
  json: { type: 'boolean'; help: string };
};

type Environment = ReturnType<typeof readWorkerEnvironment>;
type Source = ReturnType<typeof backupSource>;

const and = (names: readonly string[]): string => names.join(' and ');

function secretsLines(included: readonly string[]): string {
  const apart = secretNames.filter((name) => !included.includes(name));
  const lines = [
    ...(included.length > 0
      ? [`It contains the generated ${and(included)}: keep it as safe as the data folder.`]
      : []),
    ...(apart.length > 0
      ? [
          `Not in it: ${and(apart)}. Keep them too: without SESSION_SECRET all users are signed out and second factors must be set up again; without WEBHOOK_KEY the secrets of webhooks must be rotated.`,
        ]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Writes the daily backups until Ctrl-C or SIGTERM. */
async function runSchedule(environment: Environment, source: Source, io: Io): Promise<number> {
  const { BACKUP_DIR, BACKUP_AT, BACKUP_KEEP } = environment;
  if (BACKUP_DIR === undefined)
    throw new CliError('BACKUP_DIR must be set: the folder of the scheduled backups.', exits.configuration);
  const schedule = { folder: resolve(BACKUP_DIR), time: readDailyTime(BACKUP_AT), keep: BACKUP_KEEP };
  await makeBackupFolder(schedule.folder);
  const print = printerTo(io.stdout, 'backup');
  print(`Writing daily backups to ${schedule.folder} at ${BACKUP_AT} UTC, keeping ${BACKUP_KEEP}.`);
  await keepBackups({ source, schedule, print }, io.signal);
  return exits.done;
}

/** Writes a backup of the database that the environment names. */
export const backUp: Run<BackupOptions> = async ({ operands: [name], options, io }) => {
  if (options.schedule === (name !== undefined))
    throw new CliError('Name a FILE, or use --schedule without one.', exits.usage);
  const environment = readWorkerEnvironment({ ...io.environment });
  await using database = await openServerDatabase(environment, 'shared');
  const { generated } = secretsOf(database.secrets, io.environment);
  const source = backupSource(database.addresses.ownerUrl, database.secrets, io.environment);
  const included = options['without-secrets'] ? [] : Object.keys(generated);
  if (included.length === 0) source.secrets = {};
  if (name === undefined) return runSchedule(environment, source, io);
  const file = resolve(io.folder, name);
  const progress = progressLine(io);
  try {
    const summary = await createBackup(source, file, {
      signal: io.signal,
      onProgress: ({ phase, done, total }) => progress.show(`${phase}, ${sizeText(done)}`, done, total),
    });
    progress.clear();
    if (options.json) io.stdout.writeJson({ ...summary, secrets: included });
    else
      io.stdout.write(
        `Backup of ${database.label} written to ${file}: ${sizeText(summary.size)}, ${summary.rows} rows in ${summary.tables} tables, as of ${summary.createdAt}.\n` +
          `Read back: every checksum and number of rows is correct.\n${secretsLines(included)}`,
      );
    return exits.done;
  } finally {
    progress.clear();
  }
};
