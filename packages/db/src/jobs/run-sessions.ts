import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../connection/client.ts';
import { onLoginConnection } from '../connection/login-connection.ts';

/** A run of a job: its number, which rises with each start. */
interface NumberedRun {
  jobId: string;
  attempt: number;
}

const scope = new AsyncLocalStorage<string>();

/** Of the sessions of a job; PostgreSQL keeps 63 bytes of a name. */
const prefixOf = (jobId: string): string => `riskboard job ${jobId} `;
const nameOf = ({ jobId, attempt }: NumberedRun): string => `${prefixOf(jobId)}${attempt}`;

/** Does the work of a run: its transactions have its name (`application_name`). */
export const inRunSessions = <T>(run: NumberedRun, work: () => T): T => scope.run(nameOf(run), work);

/** The name of the sessions of the run that the current code works for. */
export const currentRunSession = (): string | undefined => scope.getStore();

const timeoutMs = 5000;

/** Ends the sessions of a job whose names compare in this way to that of the run. */
const endSessions = (
  { pool }: Pick<Database, 'pool'>,
  run: NumberedRun,
  comparison: '=' | '<>',
): Promise<void> =>
  onLoginConnection(pool.options, timeoutMs, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where usename = current_user and datname = current_database()
        and starts_with(application_name, $1) and application_name ${comparison} $2`,
      [prefixOf(run.jobId), nameOf(run)],
    );
  });

/**
 * Ends the sessions of earlier runs of a job that another worker has taken over. A worker that is frozen, or cut off from the network,
 * keeps its transaction open and with it locks for which the new run and requests would wait until the server closes the session. An
 * earlier run cannot commit, so nothing is lost.
 */
export const endEarlierRuns = (database: Pick<Database, 'pool'>, run: NumberedRun): Promise<void> =>
  endSessions(database, run, '<>');

/** Ends the sessions of a run that no longer owns its job: a statement of it may run for minutes, or wait for locks. */
export const endRun = (database: Pick<Database, 'pool'>, run: NumberedRun): Promise<void> =>
  endSessions(database, run, '=');
