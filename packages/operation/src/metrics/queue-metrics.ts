import type { Registry } from '@prometheus-io/client';
import { type JobKind, jobKinds } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { addGauge } from './add-gauge.ts';

/** Organizations whose queued jobs are shown, those with the most: the number of series stays bounded. */
const mostOrganizations = 20;
/** Several scrapers and api processes must not count a long queue again and again. */
const keptMs = 5000;

interface QueuedKind {
  kind: string;
  state: string;
  jobs: number;
  oldestSeconds: number;
}

interface QueuedOfOrganization {
  organizationId: string;
  jobs: number;
  oldestSeconds: number;
}

interface Queue {
  kinds: readonly QueuedKind[];
  organizations: readonly QueuedOfOrganization[];
  databaseBytes: number;
}

/**
 * Age of a queued job since it could have started, of a running one since it started, by the database's clock. A job that is
 * due at every time could start when it was requested.
 */
const age = sql<number>`
  coalesce(max(extract(epoch from now() - case
    when state <> 'queued' then started_at when run_at = '-infinity' then created_at else run_at end)), 0)::float8`;
/** A retry that is not due yet, and a job that waits for another one, do not wait for a worker. */
const ready = sql`(state = 'running' or (waits_for is null and run_at <= now()))`;

async function readQueue({ system }: Pick<Database, 'system'>): Promise<Queue> {
  const [kinds, organizations, size] = await Promise.all([
    sql<QueuedKind>`
      select kind, state, count(*)::int as jobs, ${age} as "oldestSeconds"
      from job where state in ('queued', 'running') and ${ready} group by kind, state`.execute(system),
    sql<QueuedOfOrganization>`
      select organization_id as "organizationId", count(*)::int as jobs, ${age} as "oldestSeconds"
      from job where state in ('queued', 'running') and ${ready} and state = 'queued'
      group by organization_id order by jobs desc, organization_id limit ${mostOrganizations}`.execute(
      system,
    ),
    sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(system),
  ]);
  return {
    kinds: kinds.rows,
    organizations: organizations.rows,
    databaseBytes: size.rows[0]?.bytes ?? 0,
  };
}

/** A reader whose result is kept for a few seconds; without an answer of the database the last result is dropped. */
function cached(read: () => Promise<Queue>): () => Promise<Queue | undefined> {
  let result: Promise<Queue | undefined> | undefined;
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (!result || now - readAt > keptMs) {
      readAt = now;
      result = read().catch(() => undefined);
    }
    return result;
  };
}

/** A figure: `name` is in docs/operations.md. */
interface Named {
  name: string;
  help: string;
}

/**
 * Jobs that wait and run, by kind and by organization, from their rows: the same figures from every api process, right
 * even when the queue has lost its data. Without an answer of the database they are absent.
 */
export function measureQueue(registry: Registry, database: Pick<Database, 'system'>): void {
  const read = cached(() => readQueue(database));
  const kinds = Object.keys(jobKinds) as JobKind[];
  const states = ['queued', 'running'] as const;

  const ofKinds = (named: Named, valueOf: (queued: QueuedKind) => number): void =>
    void addGauge(registry, {
      ...named,
      labelNames: ['kind', 'state'],
      async collect() {
        this.reset();
        const queue = await read();
        if (!queue) return;
        for (const kind of kinds) for (const state of states) this.set({ kind, state }, 0);
        for (const queued of queue.kinds)
          this.set({ kind: queued.kind, state: queued.state }, valueOf(queued));
      },
    });
  const ofOrganizations = (named: Named, valueOf: (queued: QueuedOfOrganization) => number): void =>
    void addGauge(registry, {
      ...named,
      labelNames: ['organization'],
      async collect() {
        this.reset();
        for (const queued of (await read())?.organizations ?? [])
          this.set({ organization: queued.organizationId }, valueOf(queued));
      },
    });

  ofKinds(
    {
      name: 'riskboard_jobs',
      help: 'Jobs that could start now (queued) or run, by kind.',
    },
    ({ jobs }) => jobs,
  );
  ofKinds(
    {
      name: 'riskboard_jobs_oldest_seconds',
      help: 'Longest time that a job of this kind has waited for a worker (queued) or runs.',
    },
    ({ oldestSeconds }) => oldestSeconds,
  );
  ofOrganizations(
    {
      name: 'riskboard_organization_jobs_queued',
      help: `Queued jobs of the ${mostOrganizations} organizations with the most of them, by id.`,
    },
    ({ jobs }) => jobs,
  );
  ofOrganizations(
    {
      name: 'riskboard_organization_jobs_oldest_seconds',
      help: 'Longest time that a queued job of these organizations has waited.',
    },
    ({ oldestSeconds }) => oldestSeconds,
  );
  addGauge(registry, {
    name: 'riskboard_database_size_bytes',
    help: 'Size of the database.',
    labelNames: [],
    async collect() {
      const queue = await read();
      if (queue) this.set(queue.databaseBytes);
    },
  });
}
