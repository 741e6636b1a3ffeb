import { fileURLToPath } from 'node:url';
import type { Environment } from '@riskboard/contract/environment';
import { startProgram } from './process/child-process.ts';
import type { Running } from './process/keep-running.ts';
import { asJsonLine } from '@riskboard/operation/log-destination';
import { type Level, readableLine } from '@riskboard/operation/log-line';

/** A process of the product other than the database. */
export interface Part {
  name: string;
  /** Arguments of node, relative to the repository. */
  arguments: readonly string[];
  /** Folder it runs in, relative to the repository; by default the repository. */
  folder?: string;
  environment?: Readonly<Record<string, string>>;
  /** Gets the secrets of sessions; only the api checks sessions. */
  checksSessions?: boolean;
}

/** Only for migrations, which the supervisor runs itself. */
const ownerAddress = 'DATABASE_OWNER_URL';
/** Variables that only the api gets. */
const sessionSecrets: ReadonlySet<string> = new Set(['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS']);

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * V8 flag of an api: V8 collects young objects in spaces of up to 3 x 16 MB and keeps them, so that an idle api would hold
 * 60 MB more. Serving a list takes the same time with small ones (docs/performance/start.md).
 */
export const smallYoungSpace = '--max-semi-space-size=4';

/**
 * V8 flags of a worker, also in docker-compose.yml and the Helm chart (docs/performance/ingest.md). Collecting the whole heap
 * takes processor time that the database needs while a report is read, so that it happens when the heap has grown by 150 %
 * since the last time, not by some 40 %. Without pretenuring no object starts in the old space: there it would keep the objects
 * that it refers to until the whole heap is collected, and reading XML took twice the time.
 */
export const workerHeap: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=150',
  '--no-allocation-site-pretenuring',
];

/**
 * Environment of api and worker, also in the Dockerfile (decision 67): glibc, the C library of most Linux systems, gives them one
 * heap instead of one for each thread. Freed memory that is spread over several heaps is not returned to the system.
 */
export const oneHeap = { MALLOC_ARENA_MAX: '1' } as const;

/** Path of a program: built by `npm start` (scripts/build-programs.mjs), else its source. */
function programFile(name: 'api' | 'worker'): string {
  const folder = process.env['RISKBOARD_PROGRAMS'];
  return folder ? `${folder}/${name}/src/main.mjs` : `${name}/src/main.ts`;
}

/** The API and as many workers as WORKERS says; each worker serves its figures on a port of its own, counted up. */
export const standardParts = (
  {
    WORKERS,
    WORKER_METRICS_PORT: port,
  }: Pick<Environment, 'WORKERS'> & Partial<Pick<Environment, 'WORKER_METRICS_PORT'>>,
  flags: readonly string[] = [],
): Part[] => [
  {
    name: 'api',
    arguments: [smallYoungSpace, ...flags, programFile('api')],
    environment: oneHeap,
    checksSessions: true,
  },
  ...Array.from({ length: WORKERS }, (_, index) => ({
    name: WORKERS === 1 ? 'worker' : `worker ${index + 1}`,
    arguments: [...workerHeap, ...flags, programFile('worker')],
    environment: { ...oneHeap, ...(port !== undefined && { WORKER_METRICS_PORT: String(port + index) }) },
  })),
];

/** A terminal shows warnings and errors unless LOG_LEVEL is set; other outputs get JSON only, pino's lines unchanged. */
function printer(name: string): (line: string) => void {
  if (!process.stdout.isTTY)
    return (line) => {
      const json = asJsonLine(name, line);
      if (json !== undefined) process.stdout.write(`${json}\n`);
    };
  const least = (process.env['LOG_LEVEL']?.trim() as Level | undefined) || 'warn';
  return (line) => {
    const readable = readableLine(name, line, least);
    if (readable !== undefined) process.stdout.write(`${readable}\n`);
  };
}

/** Environment variables that readEnvironment parses to the same value; lists are joined with commas. */
export const toVariables = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** Workers send the mails; the api only needs to know whether there is a mail server. */
function withoutPassword(mailServer: string): string {
  const url = new URL(mailServer);
  url.username = '';
  url.password = '';
  return url.href;
}

/** The environment of a part: the supervisor's own, the configuration, and the part's variables. */
export function variablesOf(
  part: Part,
  environment: Environment,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string | undefined> {
  const all = { NODE_ENV: 'production', ...own, ...toVariables(environment), ...part.environment };
  const isForPart = (name: string): boolean =>
    name !== ownerAddress && (part.checksSessions === true || !sessionSecrets.has(name));
  const given = Object.fromEntries(Object.entries(all).filter(([name]) => isForPart(name)));
  const mailServer = environment.SMTP_URL;
  return part.checksSessions && mailServer ? { ...given, SMTP_URL: withoutPassword(mailServer) } : given;
}

/** Returns a function that starts a part, used at first and for every restart. */
export function programStarter(part: Part, environment: Environment): () => Promise<Running> {
  return () =>
    startProgram({
      name: part.name,
      arguments: part.arguments,
      cwd: part.folder ? `${repository}${part.folder}` : repository,
      environment: variablesOf(part, environment),
      onLine: printer(part.name),
    });
}
