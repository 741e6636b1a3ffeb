import { noteReceiving, withOrganization } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';

/** A client waits for up to a minute before a retry, and an upload counts as interrupted after two (`selectBatches`). */
const standardEveryMs = 15_000;

interface ReceivedFile {
  organizationId: string;
  batchId: string;
  /** Bytes that have arrived. */
  bytesRead: () => number;
  log: FastifyBaseLogger;
  /** Called after the commit of each note; never rejects. */
  onNoted: () => Promise<void>;
}

/**
 * Receives a file of a batch, and notes at intervals that it is being received as long as its bytes arrive. A file that ends
 * within the first interval is not noted. The interval is measured by this process, the time that is noted by the database.
 */
export async function whileReceiving<T>(
  { database, config: { receivingNotedEveryMs: everyMs = standardEveryMs } }: Deps,
  { organizationId, batchId, bytesRead, log, onNoted }: ReceivedFile,
  receive: () => Promise<T>,
): Promise<T> {
  let noted = 0;
  let noting: Promise<void> | undefined;

  async function note(): Promise<void> {
    try {
      const isNew = await withOrganization(database, organizationId, (trx) =>
        noteReceiving(trx, { batchId, everyMs }),
      );
      if (isNew) await onNoted();
    } catch (err) {
      // Receiving the file is not affected: the next interval tries again.
      log.warn({ err, batchId }, 'batch not noted as being received');
    }
  }

  const timer = setInterval(() => {
    const bytes = bytesRead();
    if (noting !== undefined || bytes === noted) return;
    noted = bytes;
    noting = note().finally(() => (noting = undefined));
  }, everyMs);
  try {
    return await receive();
  } finally {
    clearInterval(timer);
    await noting;
  }
}
