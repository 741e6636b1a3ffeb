import { readEnvironment } from '@riskboard/contract/environment';
import { migrate } from './migrate.ts';
import { StartError } from './say.ts';

/** The migrations alone, once, before API and workers of a scaled installation start (docker-compose.yml). */
const { DATABASE_URL } = readEnvironment();

try {
  if (DATABASE_URL === undefined)
    throw new StartError('DATABASE_URL must be set to migrate; npm start migrates its own.');
  await migrate(DATABASE_URL);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
