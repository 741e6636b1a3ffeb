import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { isHeld, type LockTransaction, locksAtSavepoint, requireOrder, takeLock } from './lock-order.ts';

/** Uploads of one name wait for each other: twenty at once are one created and nineteen replaced. */
export async function lockFileName(trx: LockTransaction, name: string): Promise<void> {
  takeLock(trx, { name: 'file name', key: name, strength: 'exclusive' });
  await sql`
    select pg_advisory_xact_lock(hashtextextended(current_organization()::text || lower(${name}), 0))`.execute(
    trx,
  );
}

/** A report that is about to be replaced or deleted. */
export interface LockedFile {
  id: string;
  name: string;
  content_id: string;
}

/** The file of a name in any case, about to be replaced; under the lock of the name. */
export async function lockFileOfName(
  trx: LockTransaction,
  name: string,
): Promise<(LockedFile & { sha256: Buffer }) | undefined> {
  requireOrder(trx, 'file');
  const file = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id', 'sha256'])
    .where('name_key', '=', sql<string>`lower(${name})`)
    .forUpdate()
    .executeTakeFirst();
  if (file) takeLock(trx, { name: 'file', key: file.id, strength: 'update' });
  return file;
}

/** Locks files that are about to be deleted. @returns those that exist, in the order of their ids */
export async function lockFiles(trx: LockTransaction, ids: readonly string[]): Promise<LockedFile[]> {
  requireOrder(trx, 'file');
  const files = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id } of files) takeLock(trx, { name: 'file', key: id, strength: 'update' });
  return files;
}

/**
 * For a transaction that changes which files assert a record: one at a time in an organization. Without it two
 * deletions of the last two files that assert a record would each see the assertion of the other and both leave the
 * record behind, and a deletion would drop what an extraction has just asserted.
 */
export async function lockAssertions(trx: LockTransaction): Promise<void> {
  if (isHeld(trx, 'assertions')) return;
  takeLock(trx, { name: 'assertions', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('assertions ' || current_organization()::text, 0))`.execute(
    trx,
  );
}

/**
 * Locks the files that assert some records, then the assertions. An extraction that commits while this waits may add
 * files: then everything is released and the files are selected again.
 * @param files selects the ids of the files
 */
export async function lockFilesAndAssertions(
  trx: LockTransaction,
  files: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`savepoint files`.execute(trx);
  const forgetLocks = locksAtSavepoint(trx);
  for (;;) {
    const locked = await selectIds(trx, files);
    for (const id of locked) takeLock(trx, { name: 'file', key: id, strength: 'key share' });
    await sql`
      select from report_file where organization_id = current_organization() and id = any (${locked}::uuid[])
      order by id for key share`.execute(trx);
    await lockAssertions(trx);
    const needed = await selectIds(trx, files);
    const known = new Set(locked);
    if (needed.every((id) => known.has(id))) return;
    await sql`rollback to savepoint files`.execute(trx);
    forgetLocks();
  }
}

async function selectIds(trx: LockTransaction, query: RawBuilder<{ id: string }>): Promise<string[]> {
  const { rows } = await query.execute(trx);
  return rows.map((row) => row.id).toSorted();
}
