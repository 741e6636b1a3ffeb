import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

interface ScoreContext {
  /** Absent: read from what changes, such as the levels or a related threat. */
  cause?: 'restored' | 'imported';
  by: string | null;
}

/** What the score history names as cause and actor of the changes that this transaction makes from here on. */
export async function setScoreContext(
  trx: OrganizationTransaction,
  { cause, by }: ScoreContext,
): Promise<void> {
  await sql`
    select set_config('app.score_cause', ${cause ?? ''}, true), set_config('app.score_actor', ${by ?? ''}, true)`.execute(
    trx,
  );
}
