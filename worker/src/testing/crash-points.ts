import type { JobKind } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { JobContext, JobHandlers } from '../jobs/run/context.ts';
import { handlers } from '../jobs/handlers.ts';
import type { Workshop } from './test-harness.ts';

export interface Gate {
  /** Resolves when somebody stands in front of it. */
  reached: Promise<void>;
  /** Resolves when it opens. */
  pass(): Promise<void>;
  open(): void;
}

export function gate(): Gate {
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

/** The real handlers, each stopped where its run has begun and nothing of it has happened. */
export const gatedAtStart = ({ pass }: Gate): JobHandlers => ({
  'stix.parse': (context) => pass().then(() => handlers['stix.parse'](context)),
  'stix.extract': (context) => pass().then(() => handlers['stix.extract'](context)),
  'records.delete': (context) => pass().then(() => handlers['records.delete'](context)),
  'records.update': (context) => pass().then(() => handlers['records.update'](context)),
  'organization.delete': (context) => pass().then(() => handlers['organization.delete'](context)),
});

type AnyContext = { [K in JobKind]: JobContext<K> }[JobKind];

/** The real handlers, each stopped where everything is written and nothing committed. */
export function gatedAtEnd({ pass }: Gate): JobHandlers {
  const late = <C extends AnyContext>(context: C): C => ({
    ...context,
    async finish(trx: Parameters<C['finish']>[0], result: never) {
      await pass();
      await context.finish(trx, result);
    },
  });
  return {
    'stix.parse': (context) => handlers['stix.parse'](late(context)),
    'stix.extract': (context) => handlers['stix.extract'](late(context)),
    'records.delete': (context) => handlers['records.delete'](late(context)),
    'records.update': (context) => handlers['records.update'](late(context)),
    'organization.delete': (context) => handlers['organization.delete'](late(context)),
  };
}

/** Waits until so many sessions of this database wait for a lock. */
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
    { timeout: 10_000, interval: 10 },
  );

/** Lets a run look as if its worker had died a minute ago. */
export const silence = (shop: Workshop, jobId: string) =>
  shop.inside((trx) =>
    trx
      .updateTable('job')
      .set({ heartbeat_at: sql<Date>`now() - interval '1 minute'` })
      .where('id', '=', jobId)
      .execute(),
  );

/** Answers a bell as if that had happened, whatever sign of life the frozen run still gives in between. */
export async function takeOver(shop: Workshop, jobId: string, answer: () => Promise<void>): Promise<void> {
  for (;;) {
    await silence(shop, jobId);
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
    }
  }
}
