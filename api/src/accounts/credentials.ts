import type { Database } from '@riskboard/db';
import { sql } from 'kysely';

/** Columns of an account that signing in needs. */
export interface Credentials {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  /** Sealed; null without a second factor. */
  totpSecret: Buffer | null;
  organizationIds: string[];
}

/** Selects `Credentials` from `account`, without its organizations. */
export const credentialColumns = [
  'id',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'password_hash as passwordHash',
  'totp_secret as totpSecret',
] as const;

/** The account of an address; accounts without a membership are ignored. */
export async function findCredentials(database: Database, email: string): Promise<Credentials | undefined> {
  const row = await database.system
    .selectFrom('account')
    .select([
      ...credentialColumns,
      sql<string[]>`array(select organization_id from membership where account_id = account.id)`.as(
        'organizationIds',
      ),
    ])
    .where('email', '=', email.trim())
    .executeTakeFirst();
  return row && row.organizationIds.length > 0 ? row : undefined;
}
