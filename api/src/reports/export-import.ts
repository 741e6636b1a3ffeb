import { pipeline, Readable } from 'node:stream';
import type { ImportObject, Outcome } from '@riskboard/contract';
import { type Database, withOrganization } from '@riskboard/db';
import { stringify } from 'csv-stringify';
import { importObjectsAfter } from './import-report.ts';

export interface Export {
  organizationId: string;
  fileId: string;
  outcomes: Outcome[];
}

async function* rows(database: Database, wanted: Export): AsyncGenerator<ImportObject> {
  let after = { ordinal: -1, place: '' };
  for (;;) {
    const batch = await withOrganization(database, wanted.organizationId, (trx) =>
      importObjectsAfter(trx, { fileId: wanted.fileId, outcomes: wanted.outcomes, after }),
    );
    yield* batch;
    const last = batch.at(-1);
    if (!last) return;
    after = { ordinal: last.ordinal, place: last.place };
  }
}

const csvColumns = ['ordinal', 'place', 'type', 'stixId', 'outcome', 'reason'] as const;

/** Cells that a spreadsheet would run as a formula are escaped: the texts come from strangers' files. */
export function importCsv(database: Database, wanted: Export): Readable {
  const csv = stringify({ header: true, columns: [...csvColumns], bom: true, escape_formulas: true });
  // A failure destroys the csv with it, and so reaches the reply.
  return pipeline(Readable.from(rows(database, wanted)), csv, () => undefined);
}

async function* asJson(items: AsyncIterable<ImportObject>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

export const importJson = (database: Database, wanted: Export): Readable =>
  Readable.from(asJson(rows(database, wanted)));
