import { resolve } from 'node:path';
import { readEnvironment } from '@riskboard/contract/environment';
import { openServerDatabase } from '@riskboard/embedded';
import { webFolder } from '@riskboard/operation';
import { exits, type Run } from '../command.ts';
import { oneLine } from '../terminal/terminal-output.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkNode, checkWeb } from './check-host.ts';
import { checkRedis } from './check-redis.ts';
import { failed, fine, type Finding, messageOf } from './finding.ts';

type Environment = ReturnType<typeof readEnvironment>;

/** With the environment of the migration, or of an api, which has no owner. */
export async function databaseFindings(environment: Environment): Promise<Finding[]> {
  try {
    await using server = await openServerDatabase(environment, 'shared');
    return await checkDatabase({ ...server.addresses, hasQueue: environment.REDIS_URL === undefined });
  } catch (error) {
    return [
      failed(
        'postgresql',
        messageOf(error),
        'Do what the message says. In a new data folder, npm start creates the database.',
      ),
    ];
  }
}

const label = { ok: 'ok     ', warning: 'warning', failed: 'failed ' } as const;

export const asText = (findings: readonly Finding[]): string =>
  findings
    .map(
      ({ check, state, message, remedy }) =>
        `${label[state]}  ${check}: ${oneLine(message)}\n${remedy === undefined ? '' : `         ${remedy}\n`}`,
    )
    .join('');

/**
 * Checks this server: 0 when nothing failed, warnings included; 1 when something must be repaired. A wrong variable ends
 * the program with one line and 78.
 */
export const examine: Run<{ json: { type: 'boolean'; help: string } }> = async ({ options, io }) => {
  const environment = readEnvironment({ ...io.environment });
  const [disk, redis, database] = await Promise.all([
    environment.DATABASE_URL === undefined ? checkDisk(resolve(environment.DATA_DIR)) : undefined,
    environment.REDIS_URL === undefined ? [] : checkRedis(environment.REDIS_URL),
    databaseFindings(environment),
  ]);
  const findings = [
    fine('configuration', 'every variable is valid'),
    checkNode(process.versions.node),
    checkWeb(webFolder),
    ...(disk ? [disk] : []),
    ...redis,
    ...database,
  ];
  const ok = findings.every(({ state }) => state !== 'failed');
  if (options.json) io.stdout.writeJson({ ok, findings });
  else io.stdout.write(asText(findings));
  return ok ? exits.done : exits.failed;
};
