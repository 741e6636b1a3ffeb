import type pg from 'pg';
import type { ReportSink } from '../stix/report-sink.ts';
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
    place text collate "C" not null,
    name text not null,
    data jsonb not null,
    state text collate "C" not null,
    newer_place text collate "C"
  ) on commit drop`;

/** Rows wait until they are this many characters: few enough to hold twice, many enough to be worth a statement. */
const batchLength = 512 * 1024;

/**
 * Writes what `fill` reads, in this connection's transaction: records to the staging table, where they can still be
 * superseded or merged; objects that are no record, and relations, to where they stay. The server writes a batch while
 * the next is read, and the reader waits when it is a whole batch ahead.
 * @throws what `fill` throws, or the database; the connection then takes statements again
 */
export async function stage<T>(
  connection: pg.PoolClient,
  reading: Reading,
  fill: (sink: ReportSink) => Promise<T>,
): Promise<T> {
  await connection.query(stagedTable);
  let batch = new RowBatch();
  let writing: Promise<void> = Promise.resolve();
  let n = 0;

  async function send(): Promise<void> {
    await writing;
    writing = batch.write(connection, reading);
    // Its failure is told where it is waited for.
    writing.catch(() => undefined);
    batch = new RowBatch();
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
    await writing;
    return filled;
  } catch (error) {
    // The ROLLBACK comes when nothing is under way any more.
    await writing.catch(() => undefined);
    throw error;
  }
}
