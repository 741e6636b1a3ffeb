import type pg from 'pg';
import type { ReportSink } from '../../stix/report-sink.ts';
import { type Reading, RowBatch } from './row-batch.ts';
import { createStaged } from './staged-table.ts';

/** Characters that are collected before a batch is written. */
const batchLength = 256 * 1024;
/** Batches that may wait for the server; dense files are read faster than written. */
const maxPending = 12;

/**
 * Writes the results of `fill` in this connection's transaction: records to the staging table, where they can still be
 * superseded or merged; relations and objects that are not records to their final tables. Batches are written one after
 * the other while the next ones are read; the reader waits when too many are pending.
 * @throws what `fill` throws, or the database; the connection then takes statements again
 */
export async function stage<T>(
  connection: pg.PoolClient,
  reading: Reading,
  fill: (sink: ReportSink) => Promise<T>,
): Promise<T> {
  await connection.query(createStaged);
  let batch = new RowBatch();
  let last: Promise<void> = Promise.resolve();
  const pending: Promise<void>[] = [];
  let n = 0;

  async function send(): Promise<void> {
    const rows = batch;
    batch = new RowBatch();
    last = last.then(() => rows.write(connection, reading));
    // A failure is thrown where the write is awaited.
    last.catch(() => undefined);
    pending.push(last);
    if (pending.length > maxPending) await pending.shift();
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
    // The caller rolls back only after the last write has ended.
    await last.catch(() => undefined);
    throw error;
  }
}
