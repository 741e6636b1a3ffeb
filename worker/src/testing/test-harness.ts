import type { ExtractKind } from '@riskboard/contract';
import { OrganizationEvent } from '@riskboard/contract/schemas';
import {
  type Database,
  type JobRow,
  newId,
  openDatabase,
  type OrganizationTransaction,
  selectJobs,
  sessionLimits,
  withOrganization,
} from '@riskboard/db';
import type { OutgoingMessage } from '@riskboard/queue';
import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Deps } from '../deps.ts';
import type { JobHandlers } from '../jobs/run/context.ts';
import { handlers } from '../jobs/handlers.ts';
import { runJob } from '../jobs/run/run-job.ts';
import { requestExtraction, removeFile, storeReport, type StoredReport } from './store-report.ts';

/** What the jobs sent, in order, and their subscriptions to cancellations. */
export interface Recorded {
  messages: OutgoingMessage[];
  events: OrganizationEvent[];
  /** The topic of each publication. */
  topics: string[];
  /** By pattern; called with the topic of a cancellation. */
  listeners: Map<string, (topic: string) => void>;
}

/** One organization and its jobs, run without a queue. */
export interface TestHarness {
  organizationId: string;
  database: Database;
  deps: Deps;
  recorded: Recorded;
  inside<T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T>;
  store(name: string, content: string | Buffer, extract?: ExtractKind[]): Promise<StoredReport>;
  remove(fileId: string): Promise<void>;
  /** Delivers a queue message of a job in any state; a retry that waits for its time is due. */
  run(jobId: string, how?: { handlers?: JobHandlers; shutdown?: AbortSignal }): Promise<void>;
  job(id: string): Promise<JobRow>;
  /** Stores and parses a report. */
  read(name: string, content: string | Buffer): Promise<StoredReport>;
  /** Extracts from a parsed report. @returns the job as it ended */
  extract(fileId: string, kinds?: ExtractKind[]): Promise<JobRow>;
}

/** A separate database; its harnesses are organizations isolated from each other. */
export interface HarnessDatabase {
  test: TestDatabase;
  database: Database;
  open(): Promise<TestHarness>;
  close(): Promise<void>;
}

export async function openHarnessDatabase(): Promise<HarnessDatabase> {
  const test = await createTestDatabase();
  const database = openDatabase({ url: test.url, max: 20, limits: sessionLimits.worker });
  return {
    test,
    database,
    open: () => openTestHarness(database),
    async close() {
      await database.close();
      await test.drop();
    },
  };
}

export async function makeOrganization(database: Database): Promise<string> {
  const organizationId = newId();
  await database.system.insertInto('organization').values({ organization_id: organizationId }).execute();
  return organizationId;
}

const everyKind: ExtractKind[] = ['vulnerabilities', 'threats'];

/** Ends the delay of a job that is queued for a later try. */
export async function makeDue(database: Database, jobId: string): Promise<void> {
  await sql`update job set run_at = now() where id = ${jobId} and run_at > now() and run_at < 'infinity'`.execute(
    database.system,
  );
}

async function openTestHarness(database: Database): Promise<TestHarness> {
  const organizationId = await makeOrganization(database);
  const recorded: Recorded = { messages: [], events: [], topics: [], listeners: new Map() };
  const deps = recordingDeps(database, recorded);
  const inside: TestHarness['inside'] = (work) => withOrganization(database, organizationId, work);
  const job = (id: string) =>
    inside((trx) => selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow());
  const store: TestHarness['store'] = (name, content, extract = []) =>
    storeReport(database, { organizationId, name, content, extract });
  const run: TestHarness['run'] = async (jobId, how = {}) => {
    const { kind } = await job(jobId);
    await makeDue(database, jobId);
    const message = { id: jobId, kind: kind as keyof JobHandlers, organizationId };
    await runJob(deps, {
      handlers: how.handlers ?? handlers,
      message,
      shutdown: how.shutdown ?? new AbortController().signal,
    });
  };
  return {
    organizationId,
    database,
    deps,
    recorded,
    inside,
    store,
    remove: (fileId) => inside((trx) => removeFile(trx, fileId)),
    run,
    job,
    async read(name, content) {
      const stored = await store(name, content);
      await run(stored.parseJobId);
      return stored;
    },
    async extract(fileId, kinds = everyKind) {
      const id = await requestExtraction(database, organizationId, { fileId, kinds });
      await run(id);
      return job(id);
    },
  };
}

function recordingDeps(database: Database, recorded: Recorded): Deps {
  return {
    database,
    log: pino({ level: 'silent' }),
    producer: {
      async enqueue(messages) {
        recorded.messages.push(...messages);
      },
      recover: async () => {},
    },
    relay: {
      async publish(topic, message) {
        recorded.topics.push(topic);
        if (topic.startsWith('org.')) recorded.events.push(OrganizationEvent.parse(message));
      },
      async subscribe(pattern, handler) {
        recorded.listeners.set(pattern, (topic) => void handler({}, topic));
        return async () => void recorded.listeners.delete(pattern);
      },
    },
  };
}
