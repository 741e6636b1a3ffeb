import type { JobKind } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { JobContext, JobHandlers } from '../jobs/run/context.ts';
import { handlers } from '../jobs/handlers.ts';
import type { TestHarness } from './test-harness.ts';

export interface CrashPoint {
  /** Resolves when a run has stopped here. */
  reached: Promise<void>;
  /** Stops the run here until `open`. */
  pass(): Promise<void>;
  open(): void;
}

export function crashPoint(): CrashPoint {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  return {
    reached: arrival.promise,
    pass() {
      arrival.resolve();
      return opening.promise;
    },
    open: opening.resolve,
  };
}

type AnyHandler = (context: never) => ReturnType<JobHandlers[JobKind]>;

/** Wraps the handler of every kind. */
const wrapHandlers = (wrap: (handler: AnyHandler) => AnyHandler): JobHandlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => [kind, wrap(handler as AnyHandler)]),
  ) as unknown as JobHandlers;

/** The real handlers, each stopped at its start. */
export const stopAtStart = ({ pass }: CrashPoint): JobHandlers =>
  wrapHandlers((handler) => (context) => pass().then(() => handler(context)));

type AnyContext = { [K in JobKind]: JobContext<K> }[JobKind];

/** The real handlers, each stopped after its last write and before its commit. */
export function stopBeforeCommit({ pass }: CrashPoint): JobHandlers {
  const late = <C extends AnyContext>(context: C): C => ({
    ...context,
    async finish(trx: Parameters<C['finish']>[0], result: never) {
      await pass();
      await context.finish(trx, result);
    },
  });
  return wrapHandlers((handler) => (context) => handler(late(context)));
}

/** Resolves when at least `count` sessions of this database wait for a lock. */
export const lockWaits = (database: Database, count = 1): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`
        select distinct pid from pg_locks
        where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
        database.system,
      );
      if (rows.length < count) throw new Error(`${rows.length} of ${count} wait`);
    },
    { interval: 10 },
  );

/** Sets the heartbeat of a run to a minute ago, as if its worker had died. */
export const silence = (harness: TestHarness, jobId: string) =>
  harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ heartbeat_at: sql<Date>`now() - interval '1 minute'` })
      .where('id', '=', jobId)
      .execute(),
  );

/** Delivers a message as after `silence`, until the frozen run has not just written another heartbeat. */
export async function takeOver(
  harness: TestHarness,
  jobId: string,
  deliver: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await silence(harness, jobId);
    try {
      return await deliver();
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
    }
  }
}
