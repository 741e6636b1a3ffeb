import { sql } from 'kysely';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type ImportRun, keyColumn, tableOf } from './write-columns.ts';

/** Locks the vulnerabilities that the staged rows may update; under the lock of the assertions. */
export async function lockMatched(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  await sql`
    select from ${sql.table(tableOf(run))} r
    where r.organization_id = current_organization() and ${sql.ref(`r.${keyColumn(run)}`)} in (select _key from staged)
    ${manyRecordsLock(trx, 'no key update')}`.execute(trx);
}
