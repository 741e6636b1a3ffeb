import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** The cause of all changes that this transaction makes to numbers of the overview from here on (decision 0036). */
export const setOverviewCause = (trx: OrganizationTransaction, cause: 'restored' | 'repaired') =>
  sql`select set_config('app.overview_cause', ${cause}, true)`.execute(trx);
