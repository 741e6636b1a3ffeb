import { objectsWithoutRecord } from '@riskboard/db';
import { sql } from 'kysely';
import type { TestHarness } from './test-harness.ts';

interface ListedObject {
  reading: string;
  ordinal: number;
  outcome: 'unmapped' | 'failed' | 'superseded';
  type: string;
  stix_id: string | null;
  location: string;
  reason: string;
}

/** The objects without a record, in the order of the file; of all files when none is given. */
export async function listedObjects(harness: TestHarness, fileId?: string): Promise<ListedObject[]> {
  const { rows } = await harness.inside((trx) =>
    sql<ListedObject>`
      select reading, ordinal, outcome, type, stix_id, location, reason from ${sql.raw(objectsWithoutRecord)} object
      where ${fileId === undefined ? sql`true` : sql`file_id = ${fileId}`} order by ordinal`.execute(trx),
  );
  return rows;
}
