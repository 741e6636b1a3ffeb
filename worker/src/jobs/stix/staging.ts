import type pg from 'pg';
import type { ReportSink } from '../../stix/report-sink.ts';
import { type Reading, RowBatch } from './row-batch.ts';

/**
 * Every record that a read finds, one row each, before it is decided what of it counts. COPY does not work under
 * row-level security, so it goes to a table of the transaction's own.
 */
const stagedTable = `
  create temporary table staged (
    ordinal integer not null,
    n integer not null,
    id uuid not null,
    kind text collate "C" not null,
    key text collate "C" not null,
    type text collate "C" not null,
    stix_id text collate "C",
    stix_version text,
    modified timestamptz,
    location text collate "C" not null,
    name text not null,
    data jsonb not null,
    state text collate "C" not null,
    newer_place text collate "C"
  ) on commit drop`;

/** Rows wait until they are this many characters, enough to be worth a statement. */
const batchLength = 256 * 1024;
/** Batches that wait for the server: where records stand close together, they are read faster than written. */
const mostAhead = 12;

/**
 * Writes what `fill` reads, in this connection's transaction: records to the staging table, where they can still be
 * superseded or merged; objects that are no record, and relations, to where they stay. The server writes a batch while
 * the next ones are read, one statement at a time, and the reader waits when it is too far ahead.
 * @throws what `fill` throws, or the database; the connection then takes statements again
 */
export async function stage<T>(
  connection: pg.PoolClient,
  reading: Reading,
  fill: (sink: ReportSink) => Promise<T>,
): Promise<T> {
  await connection.query(stagedTable);
  let batch = new RowBatch();
  let last: Promise<void> = Promise.resolve();
  const ahead: Promise<void>[] = [];
  let n = 0;

  async function send(): Promise<void> {
    const rows = batch;
    batch = new RowBatch();
    last = last.then(() => rows.write(connection, reading));
    // A failure is told where it is waited for.
    last.catch(() => undefined);
    ahead.push(last);
    if (ahead.length > mostAhead) await ahead.shift();
  }

  const sink: ReportSink = {
    object(object) {
      if (object.outcome !== 'mapped') batch.addObject(object);
    },
    record(record) {
      n += 1;
      batch.addRecord(record, n);
    },
    relation(relation) {
      n += 1;
      batch.addRelation(relation, n);
    },
    async flush() {
      if (batch.length >= batchLength) await send();
    },
  };
  try {
    const filled = await fill(sink);
    await send();
    await last;
    return filled;
  } catch (error) {
    // The ROLLBACK comes when nothing is under way any more.
    await last.catch(() => undefined);
    throw error;
  }
}
