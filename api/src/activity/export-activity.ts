import { pipeline, Readable } from 'node:stream';
import type { ActivityEntry, Role } from '@riskboard/contract';
import { type Database, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { stringify } from 'csv-stringify';
import { sql } from 'kysely';
import { columnsFor, presentEntry } from './present.ts';
import { type Filter, filtered, matches } from './select-entries.ts';

export interface ActivityExport {
  organizationId: string;
  role: Role;
  filter: Filter;
}

/** Entries that one statement reads: the export holds no more of them in memory, and no transaction in between. */
const batchSize = 2000;

/** Where the last batch ended; the time in all its digits. */
interface Place {
  moment: string;
  id: string;
}

function readBatch(trx: OrganizationTransaction, { role, filter }: ActivityExport, after: Place | undefined) {
  return filtered(trx, role, filter)
    .$if(Boolean(filter.search), (entries) => entries.where(matches(role, filter.search ?? '')))
    .$if(after !== undefined, (entries) =>
      entries.where(sql<boolean>`(at, id) < (${after?.moment}::timestamptz, ${after?.id}::uuid)`),
    )
    .select(columnsFor(role))
    .select(sql<string>`at::text`.as('moment'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute();
}

async function* entries(database: Database, wanted: ActivityExport): AsyncGenerator<ActivityEntry> {
  let after: Place | undefined;
  for (;;) {
    const batch = await withOrganization(database, wanted.organizationId, (trx) =>
      readBatch(trx, wanted, after),
    );
    yield* batch.map(presentEntry);
    after = batch.at(-1);
    if (batch.length < batchSize) return;
  }
}

const csvColumns = [
  'at',
  'actor',
  'actorId',
  'via',
  'address',
  'action',
  'noun',
  'nounId',
  'name',
  'detail',
] as const satisfies (keyof ActivityEntry)[];

/**
 * The filtered log, newest first. Cells that a spreadsheet would run as a formula are escaped: what things are called
 * is up to strangers.
 */
export function activityCsv(database: Database, wanted: ActivityExport): Readable {
  const csv = stringify({ header: true, columns: [...csvColumns], escape_formulas: true });
  // A failure destroys the csv with it, and so reaches the reply.
  return pipeline(Readable.from(entries(database, wanted)), csv, () => undefined);
}
