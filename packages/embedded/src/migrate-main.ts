import { badConfigurationExit, readWorkerEnvironment } from '@riskboard/contract/environment';
import { terminalText } from '@riskboard/operation/terminal-text';
import { startLog } from '@riskboard/operation/until-reachable';
import { configuredDatabase } from './database/addresses.ts';
import { migrate } from './database/migrate.ts';
import { StartError } from './startup/start-error.ts';

/** Runs only the migrations, once, before the processes of a scaled installation start (docker-compose.yml). */
const environment = readWorkerEnvironment();

try {
  const addresses = configuredDatabase(environment);
  if (addresses === undefined)
    throw new StartError('DATABASE_URL is required; npm start migrates the embedded database.', {
      exitCode: badConfigurationExit,
    });
  await migrate(addresses, { redisUrl: environment.REDIS_URL, log: startLog('migrate') });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${terminalText(error.message)}\n`);
  process.exitCode = error.exitCode;
}
