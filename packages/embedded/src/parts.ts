import { fileURLToPath } from 'node:url';
import type { Environment } from '@riskboard/contract/environment';
import { startProgram } from './child-process.ts';
import type { Running } from './keep-running.ts';
import { type Level, readableLine } from './log-line.ts';

/** A process of the product beside the database. */
export interface Part {
  name: string;
  /** Arguments of node, relative to the repository. */
  arguments: readonly string[];
  /** Folder it runs in, relative to the repository; by default the repository. */
  folder?: string;
  environment?: Readonly<Record<string, string>>;
}

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The API and as many workers as WORKERS asks for. */
export const standardParts = (
  { WORKERS }: Pick<Environment, 'WORKERS'>,
  flags: readonly string[] = [],
): Part[] => [
  { name: 'api', arguments: [...flags, 'api/src/main.ts'] },
  ...Array.from({ length: WORKERS }, (_, index) => ({
    name: WORKERS === 1 ? 'worker' : `worker ${index + 1}`,
    arguments: [...flags, 'worker/src/main.ts'],
  })),
];

/** A person at a terminal sees what is wrong, unless LOG_LEVEL asks for more; a log file gets pino's lines untouched. */
function printer(name: string): (line: string) => void {
  if (!process.stdout.isTTY) return (line) => void process.stdout.write(`${line}\n`);
  const least = (process.env['LOG_LEVEL'] as Level | undefined) || 'warn';
  return (line) => {
    const readable = readableLine(name, line, least);
    if (readable !== undefined) process.stdout.write(`${readable}\n`);
  };
}

/** As readEnvironment reads it again: a list is written with commas. */
export const written = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** How a part is started, now and whenever it died. */
export function programStarter(part: Part, environment: Environment): () => Promise<Running> {
  return () =>
    startProgram({
      name: part.name,
      arguments: part.arguments,
      cwd: part.folder ? `${repository}${part.folder}` : repository,
      environment: { NODE_ENV: 'production', ...process.env, ...written(environment), ...part.environment },
      onLine: printer(part.name),
    });
}
