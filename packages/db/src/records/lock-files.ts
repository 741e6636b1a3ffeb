import { type RawBuilder, sql } from 'kysely';
import { lockAssertions } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Takes the turn of those who change which files assert a record, after the rows of the files that are concerned:
 * whoever deletes or replaces a file holds its row while waiting for the turn, and our change counts in that row. An
 * extraction that ended while we waited may have made other files concerned; then all is let go, and asked again.
 * @param files selects the ids of the files concerned
 */
export async function lockFilesAndAssertions(
  trx: OrganizationTransaction,
  files: RawBuilder<{ id: string }>,
): Promise<void> {
  for (;;) {
    await sql`savepoint files`.execute(trx);
    const held = await idsOf(trx, files);
    await sql`
      select from report_file where organization_id = current_organization() and id = any (${held}::uuid[])
      order by id for key share`.execute(trx);
    await lockAssertions(trx);
    const concerned = await idsOf(trx, files);
    if (concerned.every((id) => held.includes(id))) return;
    await sql`rollback to savepoint files`.execute(trx);
  }
}

async function idsOf(trx: OrganizationTransaction, files: RawBuilder<{ id: string }>): Promise<string[]> {
  const { rows } = await files.execute(trx);
  return rows.map((row) => row.id);
}
