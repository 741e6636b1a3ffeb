import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { type Database, openDatabase } from '../connection/client.ts';

export interface OpenDatabase extends Database {
  clone: TestDatabase;
  end(): Promise<void>;
}

/** A clone of the migrated database, opened as the product opens it. */
export async function openClone(): Promise<OpenDatabase> {
  const clone = await createTestDatabase();
  const database = openDatabase({ url: clone.url, max: 6 });
  return {
    ...database,
    clone,
    async end() {
      await database.close();
      await clone.drop();
    },
  };
}
