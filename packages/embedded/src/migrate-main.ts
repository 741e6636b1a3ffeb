import { readEnvironment } from '@riskboard/contract/environment';
import { migrate } from './database/migrate.ts';
import { StartError } from './startup/start-error.ts';

/** Runs only the migrations, once, before the processes of a scaled installation start (docker-compose.yml). */
const { DATABASE_URL } = readEnvironment();

try {
  if (DATABASE_URL === undefined)
    throw new StartError('DATABASE_URL is required; npm start migrates the embedded database.');
  await migrate(DATABASE_URL);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
