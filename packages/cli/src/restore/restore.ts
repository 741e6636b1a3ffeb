import { resolve } from 'node:path';
import { checkBackup, fingerprint, restoreBackup } from '@riskboard/backup';
import { readWorkerEnvironment } from '@riskboard/contract/environment';
import {
  migrate,
  openServerDatabase,
  saveSecrets,
  type SecretName,
  secretNames,
  secretsOf,
} from '@riskboard/embedded';
import { exits, type Io, type Run } from '../command.ts';
import { progressLine, sizeText } from '../terminal/progress.ts';

type RestoreOptions = {
  force: { type: 'boolean'; help: string };
  json: { type: 'boolean'; help: string };
};

type Database = Awaited<ReturnType<typeof openServerDatabase>>;
type Checked = Awaited<ReturnType<typeof checkBackup>>;

const consequences: Readonly<Record<SecretName, string>> = {
  SESSION_SECRET: 'all users must sign in again and set up their second factors again',
  WEBHOOK_KEY: 'the secret of each webhook must be rotated',
};

/** Stores the generated secrets of the backup in the data folder. @returns the secrets that this server uses now */
async function takeSecrets(
  database: Database,
  { header: { secrets } }: Checked,
  { io, folder }: { io: Io; folder: string },
): Promise<Partial<Record<SecretName, string>>> {
  if (database.secrets) await saveSecrets(folder, secrets);
  const own = database.secrets && { ...database.secrets, ...secrets };
  return secretsOf(own, io.environment).known;
}

/** Secrets of this server that are not those of the backup, with what follows. */
function differences({ header }: Checked, known: Partial<Record<SecretName, string>>): string[] {
  return secretNames.flatMap((name) => {
    const former = header.fingerprints[name];
    const own = known[name];
    if (former === undefined || (own !== undefined && fingerprint(name, own) === former)) return [];
    const what = own === undefined ? 'is not set here' : 'is not that of the backup';
    return [`${name} ${what}: set the former one and restart, or ${consequences[name]}.`];
  });
}

/** Restores a backup into the database that the environment names. */
export const restore: Run<RestoreOptions> = async ({ operands: [name = ''], options, io }) => {
  const environment = readWorkerEnvironment({ ...io.environment });
  const progress = progressLine(io);
  const watch = {
    signal: io.signal,
    onProgress: ({ phase, done, total }: { phase: string; done: number; total: number }) =>
      progress.show(`${phase}, ${sizeText(done)}`, done, total),
  };
  try {
    // Before anything is created.
    const checked = await checkBackup(resolve(io.folder, name), watch);
    await using database = await openServerDatabase(environment, 'exclusive');
    const target = { ownerUrl: database.addresses.ownerUrl, force: options.force };
    const summary = await restoreBackup(target, checked, watch);
    const known = await takeSecrets(database, checked, { io, folder: resolve(environment.DATA_DIR) });
    await migrate(database.addresses, { redisUrl: environment.REDIS_URL });
    progress.clear();
    const warnings = differences(checked, known);
    const { version, createdAt } = summary.header;
    if (options.json)
      io.stdout.writeJson({
        rows: summary.rows,
        tables: summary.tables,
        migrated: summary.migrated,
        version,
        createdAt,
        warnings,
      });
    else
      io.stdout.write(
        `Restored into ${database.label}: ${summary.rows} rows in ${summary.tables} tables, as of ${createdAt}, written by Riskboard ${version}.\n` +
          (summary.migrated > 0 ? `Migrated to this version with ${summary.migrated} migrations.\n` : '') +
          'The queue is empty; workers enqueue unfinished jobs again. Start Riskboard.\n' +
          warnings.map((line) => `${line}\n`).join(''),
      );
    return exits.done;
  } finally {
    progress.clear();
  }
};
