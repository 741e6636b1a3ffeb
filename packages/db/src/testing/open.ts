import {
  createTestDatabase,
  recordRowsVisited,
  type StatementWork,
  type TestDatabase,
} from '@riskboard/testing';
import { type Database, openDatabase } from '../connection/client.ts';
import { sessionLimits } from '../connection/session-limits.ts';

export interface OpenDatabase extends Database {
  clone: TestDatabase;
  end(): Promise<void>;
}

/** A clone of the migrated database, opened as the product opens it, apart from the time for an answer. */
export async function openClone(): Promise<OpenDatabase> {
  const clone = await createTestDatabase();
  // A loaded test machine can take longer than the limits of the product.
  const limits = { ...sessionLimits.api, answerMs: 30_000 };
  const database = openDatabase({ url: clone.url, max: 6, limits });
  return {
    ...database,
    clone,
    async end() {
      await database.close();
      await clone.drop();
    },
  };
}

export interface RecordedDatabase extends OpenDatabase {
  /** Returns and forgets the statements so far and the rows that each has read, the most rows first. */
  statements: () => StatementWork[];
}

/** {@link openClone}, with all statements recorded. */
export async function openRecorded(): Promise<RecordedDatabase> {
  const database = await openClone();
  const statements = await recordRowsVisited(database.clone, database.pool, { aboveMs: 0 });
  return { ...database, statements };
}
