import type pg from 'pg';
import { ReportError } from '../../stix/report-error.ts';
import type { ReportSink } from '../../stix/report-sink.ts';
import { type Reading, RowBatch } from './row-batch.ts';
import { createStaged } from './staged-table.ts';

/** Characters that are collected before a batch is written. */
const batchLength = 256 * 1024;
/** Batches that may wait for the server; dense files are read faster than written. */
const maxPending = 12;
/** Bytes of the batches that may wait. */
const maxPendingBytes = 32 * 1024 * 1024;
/** Bytes of one batch: the rows of a piece of the report, or of the constructs that waited for the end of another one. */
const largestBatch = 128 * 1024 * 1024;

/** Bytes of the rows that a report of this size may have: those of the densest reports have a third of it. */
const mostBytes = (size: number): number => 32 * size + 64 * 1024 * 1024;

/**
 * Writes the results of `fill` in this connection's transaction: records to the staging table, where they can still be
 * superseded or merged; relations and objects that are not records to their final tables. Batches are written one after
 * the other while the next ones are read; the reader waits when too many are pending.
 * @throws ReportError when the rows would take many times the size of the report
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
  const pending: { written: Promise<void>; bytes: number }[] = [];
  let pendingBytes = 0;
  let sentBytes = 0;
  let n = 0;

  async function send(): Promise<void> {
    const rows = batch;
    const bytes = rows.length;
    batch = new RowBatch();
    last = last.then(() => rows.write(connection, reading));
    // A failure is thrown where the write is awaited.
    last.catch(() => undefined);
    pending.push({ written: last, bytes });
    pendingBytes += bytes;
    sentBytes += bytes;
    while (pending.length > maxPending || pendingBytes > maxPendingBytes) {
      const [oldest] = pending.splice(0, 1);
      await oldest?.written;
      pendingBytes -= oldest?.bytes ?? 0;
    }
  }

  function requireRoom(): void {
    if (batch.length <= largestBatch && sentBytes + batch.length <= mostBytes(reading.size)) return;
    throw new ReportError(
      'too-large',
      'The records and relations of this report would take many times its size, because they repeat its texts.',
    );
  }

  const sink: ReportSink = {
    object(object) {
      if (object.outcome === 'mapped') return;
      batch.addObject(object);
      requireRoom();
    },
    record(record) {
      n += 1;
      batch.addRecord(record, n);
      requireRoom();
    },
    relation(relation) {
      n += 1;
      batch.addRelation(relation, n);
      requireRoom();
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
