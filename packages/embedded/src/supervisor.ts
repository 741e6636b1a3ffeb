import { once } from 'node:events';
import { resolve } from 'node:path';
import { badConfigurationExit, type Environment, publicOrigin } from '@riskboard/contract/environment';
import { outliveReaders } from '@riskboard/operation/log-destination';
import { terminalText } from '@riskboard/operation/terminal-text';
import { checkAddress, localBase, readyText, unreadyText } from './startup/address.ts';
import {
  makeBackupFolder,
  makeDataFolder,
  readDatabaseSettings,
  saveDatabaseSettings,
} from './data/data-folder.ts';
import { explainFullDisk } from './data/disk-full.ts';
import { configuredDatabase, type DatabaseAddresses } from './database/addresses.ts';
import { removeIncompleteDemo } from './demo/incomplete-demo.ts';
import { type EmbeddedDatabase, startDatabase } from './database/embedded-database.ts';
import { lockInstance } from './data/instance-lock.ts';
import { keepRunning, type Kept } from './process/keep-running.ts';
import { preparedState } from './database/prepared.ts';
import { neededConnections } from './database/tuning.ts';
import { type Part, programStarter, standardParts } from './parts.ts';
import { waitUntilReady } from './startup/readiness.ts';
import { print } from './startup/print.ts';
import { StartError } from './startup/start-error.ts';
import { loadSecrets, type Secrets } from './data/secrets.ts';
import { configuredServices } from './startup/services.ts';
import { stopRequest } from './stop-request.ts';
import { reportWaiting } from './startup/report-waiting.ts';

// What only some starts need, such as migrations, is imported there: it takes longer to load than PostgreSQL to start.

export interface Plan {
  environment: Environment;
  /** Processes other than the database; by default the API and the workers. */
  parts?: (environment: Environment) => readonly Part[];
  /** Address to print; by default the public origin. */
  origin?: string;
}

/** Variables of the parts in addition to the supervisor's own. */
interface PartVariables {
  DATABASE_URL: string;
  DATABASE_SYSTEM_URL?: string | undefined;
  SESSION_SECRET: string;
  WEBHOOK_KEY: string;
}

/**
 * Runs the product until it receives a signal to end (contract, Running it), then stops everything in reverse order
 * within 30 s. @returns the exit code.
 */
export async function supervise(plan: Plan): Promise<number> {
  outliveReaders();
  const request = stopRequest();
  try {
    await run(plan, request);
  } catch (error) {
    // A request to end aborts any pending wait.
    if (!request.signal.aborted) return report(await explainFullDisk(error, dataFolderOf(plan.environment)));
  }
  return request.signal.reason === badConfigurationExit ? badConfigurationExit : 0;
}

const dataFolderOf = ({ DATA_DIR, DATABASE_URL }: Environment) => ({
  path: resolve(DATA_DIR),
  hasDatabase: DATABASE_URL === undefined,
});

function report(error: unknown): number {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${terminalText(error.message)}\n`);
  return error.exitCode;
}

async function run(plan: Plan, request: AbortController): Promise<void> {
  const started = performance.now();
  const environment = { ...plan.environment, DATA_DIR: resolve(plan.environment.DATA_DIR) };
  const { signal } = request;
  await using ends = new AsyncDisposableStack();

  await makeDataFolder(environment.DATA_DIR);
  if (environment.BACKUP_DIR !== undefined) await makeBackupFolder(resolve(environment.BACKUP_DIR));
  ends.defer(await lockInstance(environment.DATA_DIR));
  await checkAddress(environment);
  print(`Riskboard\n  Data folder  ${environment.DATA_DIR}`);

  const secrets = await loadSecrets(environment.DATA_DIR);
  const database = environment.DATABASE_URL
    ? undefined
    : await superviseDatabase({ environment, secrets, signal }, ends);
  const addresses = database?.addresses ?? configuredDatabase(environment) ?? { ownerUrl: '' };
  const partVariables: PartVariables = {
    DATABASE_URL: addresses.appUrl ?? addresses.ownerUrl,
    DATABASE_SYSTEM_URL: addresses.systemUrl,
    SESSION_SECRET: environment.SESSION_SECRET ?? secrets.sessionSecret,
    WEBHOOK_KEY: environment.WEBHOOK_KEY ?? secrets.webhookKey,
  };
  const services = configuredServices(environment);
  let problem: string | undefined;
  const onProblem = (what: string | undefined) => void (problem = what);
  const prepared = prepare(addresses, { environment, database, signal, onProblem });
  await reportWaiting(prepared, { services, print, problem: () => problem });
  signal.throwIfAborted();

  await superviseBackups(environment, { ownerUrl: addresses.ownerUrl, secrets }, ends);
  const parts = (plan.parts ?? standardParts)(environment);
  ends.use(await superviseParts(parts, { ...environment, ...partVariables }, request));
  const base = localBase(environment);
  const origin = plan.origin ?? publicOrigin(environment);
  const onUnready = (what: string): void => print(unreadyText(origin, what), 'warn');
  const ready = waitUntilReady({ base, workers: environment.WORKERS > 0, signal, onProblem, onUnready });
  await reportWaiting(ready, { services, print, problem: () => problem });

  const seconds = (performance.now() - started) / 1000;
  print(readyText(origin, { seconds, workers: environment.WORKERS }));
  if (database && environment.DEMO === '1' && environment.WORKERS > 0) {
    const { runDemo } = await import('./demo/demo.ts');
    await runDemo({
      base,
      origin: publicOrigin(environment),
      shown: origin,
      adminUrl: database.adminUrl,
      folder: environment.DATA_DIR,
      signal,
    });
  }
  if (!signal.aborted) await once(signal, 'abort');
  print('Stopping…', 'info');
}

async function superviseDatabase(
  { environment, secrets, signal }: { environment: Environment; secrets: Secrets; signal: AbortSignal },
  ends: AsyncDisposableStack,
): Promise<EmbeddedDatabase> {
  const folder = environment.DATA_DIR;
  const problem = () => `PostgreSQL (starts; after a crash it recovers first, see ${folder}/postgres.log)`;
  const connections = neededConnections(environment);
  const starting = startDatabase(folder, secrets, { signal, connections });
  const database = await reportWaiting(starting, { services: [], print, problem });
  const options = {
    name: 'database',
    start: async (ending: AbortSignal) =>
      (await startDatabase(folder, secrets, { replaces: database.cluster, signal: ending, connections }))
        .cluster,
    print,
    onInvalidConfiguration: () => {},
  };
  const kept = keepRunning(options, database.cluster);
  ends.defer(() => kept.stop());
  await removeIncompleteDemo({ folder, secrets, database, print });
  return database;
}

interface Preparation {
  environment: Environment;
  database: EmbeddedDatabase | undefined;
  signal: AbortSignal;
  onProblem: (what: string | undefined) => void;
}

/** Migrates the database, unless it is the embedded one and nothing has changed since it was last prepared. */
async function prepare(
  addresses: DatabaseAddresses,
  { environment, database, signal, onProblem }: Preparation,
): Promise<void> {
  const { DATA_DIR, REDIS_URL } = environment;
  // With the queue in Redis, the state of the database is not all that is prepared.
  const embedded = REDIS_URL === undefined ? database : undefined;
  const logins = [addresses.appUrl ?? '', addresses.systemUrl ?? ''];
  if (embedded) {
    const { prepared } = await readDatabaseSettings(DATA_DIR);
    if (prepared !== undefined && prepared === (await preparedState(embedded.adminUrl, logins))) return;
  }
  const { migrate } = await import('./database/migrate.ts');
  const log = {
    info: () => onProblem(undefined),
    warn: ({ reason }: { reason?: string }) => onProblem(`PostgreSQL (${reason})`),
  };
  await migrate(addresses, { redisUrl: REDIS_URL, log, signal });
  if (embedded)
    await saveDatabaseSettings(DATA_DIR, { prepared: await preparedState(embedded.adminUrl, logins) });
}

/** Writes scheduled backups here, because only this process and migrations know the owner of the database. */
async function superviseBackups(
  environment: Environment,
  { ownerUrl, secrets }: { ownerUrl: string; secrets: Secrets },
  ends: AsyncDisposableStack,
): Promise<void> {
  const { BACKUP_DIR } = environment;
  if (BACKUP_DIR === undefined) return;
  const [{ keepBackups, readDailyTime }, { backupSource }] = await Promise.all([
    import('@riskboard/backup'),
    import('./maintenance/backup-source.ts'),
  ]);
  const stopped = new AbortController();
  const source = backupSource(ownerUrl, secrets, environment);
  const schedule = {
    folder: resolve(BACKUP_DIR),
    time: readDailyTime(environment.BACKUP_AT),
    keep: environment.BACKUP_KEEP,
  };
  const keeping = keepBackups({ source, schedule, print }, stopped.signal);
  ends.defer(async () => {
    stopped.abort();
    await keeping;
  });
}

/** Starts all parts in parallel and stops them in parallel. */
async function superviseParts(
  parts: readonly Part[],
  environment: Environment,
  request: AbortController,
): Promise<AsyncDisposable> {
  const onInvalidConfiguration = (): void => request.abort(badConfigurationExit);
  const kept = await Promise.all(
    parts.map(async (part): Promise<Kept> => {
      const start = programStarter(part, environment);
      return keepRunning({ name: part.name, start, print, onInvalidConfiguration }, await start());
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(kept.map((one) => one.stop()));
    },
  };
}
