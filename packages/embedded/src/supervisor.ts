import { once } from 'node:events';
import { resolve } from 'node:path';
import { badConfigurationExit, type Environment } from '@riskboard/contract/environment';
import { checkAddress, localBase, publicOrigin } from './address.ts';
import { makeDataFolder } from './data-folder.ts';
import { runDemo } from './demo.ts';
import { type EmbeddedDatabase, startDatabase } from './embedded-database.ts';
import { lockInstance } from './instance-lock.ts';
import { keepRunning, type Kept } from './keep-running.ts';
import { migrate } from './migrate.ts';
import { type Part, programStarter, standardParts } from './parts.ts';
import { waitUntilReady } from './readiness.ts';
import { type Say, StartError } from './say.ts';
import { keepSecrets, type Secrets } from './secrets.ts';
import { servicesOf } from './services.ts';
import { stopRequest } from './stop-request.ts';
import { sayingWhy } from './waiting.ts';

export interface Plan {
  environment: Environment;
  /** What runs beside the database; by default the API and the workers. */
  parts?: (environment: Environment) => readonly Part[];
  /** Where a person finds the product; by default its public origin. */
  origin?: string;
}

const say: Say = (line) => void process.stdout.write(`${line}\n`);

/** What the parts get beside the supervisor's own variables. */
interface Wiring {
  DATABASE_URL: string;
  SESSION_SECRET: string;
}

/**
 * Runs the product until it is asked to end (contract, Running it). What was started is ended in the reverse order,
 * within 30 s. @returns the exit code.
 */
export async function supervise(plan: Plan): Promise<number> {
  const request = stopRequest();
  try {
    await run(plan, request);
  } catch (error) {
    // Being asked to end cuts short whatever was being waited for.
    if (!request.signal.aborted) return report(error);
  }
  return request.signal.reason === badConfigurationExit ? badConfigurationExit : 0;
}

function report(error: unknown): number {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return error.exitCode;
}

async function run(plan: Plan, request: AbortController): Promise<void> {
  const started = performance.now();
  const environment = { ...plan.environment, DATA_DIR: resolve(plan.environment.DATA_DIR) };
  const { signal } = request;
  await using ends = new AsyncDisposableStack();

  await makeDataFolder(environment.DATA_DIR);
  ends.defer(await lockInstance(environment.DATA_DIR));
  await checkAddress(environment);
  say(`Riskboard\n  Data folder  ${environment.DATA_DIR}`);

  const secrets = await keepSecrets(environment.DATA_DIR);
  const database = environment.DATABASE_URL ? undefined : await keepDatabase(environment, secrets, ends);
  const wiring: Wiring = {
    DATABASE_URL: environment.DATABASE_URL ?? database?.url ?? '',
    SESSION_SECRET: environment.SESSION_SECRET ?? secrets.sessionSecret,
  };
  const services = servicesOf(environment);
  await sayingWhy(migrate(wiring.DATABASE_URL), { services, say });
  signal.throwIfAborted();

  const parts = (plan.parts ?? standardParts)(environment);
  ends.use(await keepParts(parts, { ...environment, ...wiring }, request));
  const base = localBase(environment);
  let problem: string | undefined;
  const note = (what: string) => void (problem = what);
  const ready = waitUntilReady({ base, workers: environment.WORKERS > 0, signal, note });
  await sayingWhy(ready, { services, say, problem: () => problem });

  const origin = plan.origin ?? publicOrigin(environment);
  say(
    `  Address      ${origin}  (ready in ${((performance.now() - started) / 1000).toFixed(1)} s; Ctrl-C ends it)`,
  );
  if (database && environment.DEMO === '1' && environment.WORKERS > 0) {
    await runDemo({
      base,
      origin: publicOrigin(environment),
      shown: origin,
      adminUrl: database.adminUrl,
      signal,
    });
  }
  if (!signal.aborted) await once(signal, 'abort');
  say('Stopping…');
}

async function keepDatabase(
  environment: Environment,
  secrets: Secrets,
  ends: AsyncDisposableStack,
): Promise<EmbeddedDatabase> {
  const folder = environment.DATA_DIR;
  const database = await startDatabase(folder, secrets);
  if (database.home !== folder) {
    say(`  Database     ${database.home}  (PostgreSQL's own user may not enter the data folder)`);
  }
  const care = {
    name: 'database',
    start: async () => (await startDatabase(folder, secrets, database.cluster.port)).cluster,
    say,
    refused: () => {},
  };
  const kept = keepRunning(care, database.cluster);
  ends.defer(() => kept.stop());
  return database;
}

/** Starts every part at once; ends them all at once. */
async function keepParts(
  parts: readonly Part[],
  environment: Environment,
  request: AbortController,
): Promise<AsyncDisposable> {
  const refused = (): void => request.abort(badConfigurationExit);
  const kept = await Promise.all(
    parts.map(async (part): Promise<Kept> => {
      const start = programStarter(part, environment);
      return keepRunning({ name: part.name, start, say, refused }, await start());
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(kept.map((one) => one.stop()));
    },
  };
}
