import { type Kysely, sql } from 'kysely';

const creation = /^create (?:unique )?index concurrently (\w+) on /iu;

/** The statements of a file, without comments. For files of index statements only: no text of theirs has a semicolon. */
const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gmu, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/gu, ' '))
    .filter((statement) => statement !== '');

/** Whether the file builds indexes while other processes write, which PostgreSQL does outside a transaction only. */
export const isConcurrent = (text: string): boolean =>
  statementsOf(text).some((statement) => / index concurrently /iu.test(statement));

/** The same statements for a transaction, where no other process uses the database: a restore. */
const withoutConcurrency = (text: string): string => text.replaceAll(/ index concurrently /giu, ' index ');

/**
 * Builds the indexes of a file one by one. May be repeated: a finished index is kept, and one that an interrupted build
 * left invalid is dropped and built again. Waits for transactions that are older than the build as long as they last,
 * which blocks no reader and no writer.
 */
async function buildIndexes(db: Kysely<unknown>, text: string): Promise<void> {
  await sql`set lock_timeout = 0`.execute(db);
  try {
    for (const statement of statementsOf(text)) {
      const [, index] = creation.exec(statement) ?? [];
      if (index !== undefined && (await isFinished(db, index))) continue;
      await sql.raw(statement).execute(db);
    }
  } finally {
    await sql`reset lock_timeout`.execute(db);
  }
}

/** Drops what an interrupted build left. */
async function isFinished(db: Kysely<unknown>, index: string): Promise<boolean> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`.execute(db);
  const [found] = rows;
  if (found === undefined) return false;
  if (!found.valid) await sql`drop index concurrently ${sql.id(index)}`.execute(db);
  return found.valid;
}

/** Runs the statements of a file, within or outside a transaction. */
export async function applyFile(db: Kysely<unknown>, text: string): Promise<void> {
  if (!isConcurrent(text)) await sql.raw(text).execute(db);
  else if (db.isTransaction) await sql.raw(withoutConcurrency(text)).execute(db);
  else await buildIndexes(db, text);
}
