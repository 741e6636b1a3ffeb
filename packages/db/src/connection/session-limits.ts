import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * What ends a session that blocks others. Set when a connection starts, because settings of a role
 * (`alter role … set`) apply only to the login role, and the product works under roles that its login takes.
 */
export interface SessionLimits {
  /** Milliseconds that a statement waits for a lock (SQLSTATE 55P03). Includes advisory locks. */
  lockMs: number;
  /** Milliseconds that a transaction may be idle; then the server closes the connection (SQLSTATE 25P03). */
  idleInTransactionMs: number;
  /**
   * Milliseconds within which a connection is found or opened and its first statement, which does no work, is answered:
   * without an answer the server is unreachable. Default: 5,000.
   */
  answerMs?: number;
  /** Whether a statement fails when the server freezes meanwhile. Default: true; a job continues when it answers again. */
  interrupts?: boolean;
}

/** By process. A request must answer while its caller waits; a job waits for other jobs and is retried. */
export const sessionLimits = {
  /** A frozen database is reported within 2 s: this time and what the process itself needs. */
  api: { lockMs: 5000, idleInTransactionMs: 60_000, answerMs: 1500 },
  /** A parse is idle in its transaction while it reads a part of the report that has no records. */
  worker: { lockMs: 30_000, idleInTransactionMs: 120_000, interrupts: false },
  /** A migration that waits for an old process must not block every new statement for long; it is retried. */
  migrator: { lockMs: 30_000, idleInTransactionMs: 60_000, interrupts: false },
} as const satisfies Record<string, SessionLimits>;

/** The limits as command-line options of a PostgreSQL session. */
export const limitOptions = ({ lockMs, idleInTransactionMs }: SessionLimits): string =>
  `-c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`;

/** Less than the api's statement timeout, so that the error names the lock. */
const runMs = 25_000;

/**
 * For a transaction that locks what the run of a job holds. A cancelled run stops at the end of its batch, and a bulk
 * calculation ends when its scores are saved: both can take longer than the lock timeout of a request.
 */
export async function waitForRuns(trx: OrganizationTransaction): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(runMs)}, true)`.execute(trx);
}
