import { openDatabase, sessionLimits } from '@riskboard/db';
import { type OutgoingMessage, RetryLater } from '@riskboard/queue';
import { handlers, runJob, sweep } from '@riskboard/worker';
import { pino } from 'pino';

/** More rounds than any chain of waiting jobs needs. */
const rounds = 20;

/**
 * Runs the jobs that a sweep of this version finds, as a worker does after its start, until it finds no more. A job
 * that is put back for a later try stays unfinished.
 */
export async function runUnfinishedJobs(url: string): Promise<void> {
  const database = openDatabase({ url, max: 8, limits: sessionLimits.worker });
  const messages: OutgoingMessage[] = [];
  const producer = {
    enqueue: async (added: readonly OutgoingMessage[]) => void messages.push(...added),
    recover: async () => {},
  };
  const relay = { publish: async () => undefined, subscribe: async () => async () => undefined };
  const deps = { database, producer, relay, log: pino({ level: 'silent' }) };
  try {
    for (let round = 0; round < rounds; round += 1) {
      await sweep(deps, { silentMs: 0, messageLostMs: 0 });
      const batch = messages.splice(0);
      if (batch.length === 0) return;
      for (const message of batch)
        await runJob(deps, { handlers, message, shutdown: new AbortController().signal }).catch(
          (error: unknown) => {
            if (!(error instanceof RetryLater)) throw error;
          },
        );
    }
    throw new Error('The jobs do not end.');
  } finally {
    await database.close();
  }
}
