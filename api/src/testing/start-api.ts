import { type Database, openDatabase, sessionLimits } from '@riskboard/db';
import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { ApiConfig } from '../deps.ts';
import { type FakeProducer, fakeProducer } from './fakes/fake-producer.ts';
import { type MemoryRelay, memoryRelay } from './fakes/memory-relay.ts';

export const origin = 'http://localhost:3000';
export const sessionSecret = 'a secret of the tests, long enough to sign with';

/** Milliseconds within which PostgreSQL answers in tests. */
const patienceMs = 30_000;

export interface TestApi {
  app: FastifyInstance;
  database: Database;
  clone: TestDatabase;
  producer: FakeProducer;
  relay: MemoryRelay;
  close(): Promise<void>;
}

interface Shared {
  /** Shares the database and relay of another application, like a second process. */
  with?: TestApi;
  /** A database of the caller, who drops it after `close`. */
  clone?: TestDatabase;
  /** Maps the clone's URL, for example to a proxy. */
  databaseUrl?: (url: string) => string;
  systemTimeoutMs?: number;
}

/** Starts the application on its own database; every reply is validated against the contract. */
export async function startApi(config: Partial<ApiConfig> = {}, shared: Shared = {}): Promise<TestApi> {
  const clone = shared.clone ?? shared.with?.clone ?? (await createTestDatabase());
  const database = openDatabase({
    url: shared.databaseUrl?.(clone.url) ?? clone.url,
    max: 12,
    statementTimeoutMs: 30_000,
    shared: true,
    // A loaded test machine can take longer than the limits of the product; behind a proxy a database may be frozen.
    ...(shared.databaseUrl ? {} : { limits: { ...sessionLimits.api, answerMs: patienceMs } }),
    ...(shared.systemTimeoutMs === undefined ? {} : { systemTimeoutMs: shared.systemTimeoutMs }),
  });
  // Tests call the application inside their own transactions, which therefore take no slot of an organization.
  const { slots: _, ...unlimited } = database;
  const producer = fakeProducer();
  const relay = shared.with?.relay ?? memoryRelay();
  const app = await buildApp({
    config: {
      appOrigins: [origin],
      secureCookies: false,
      sessionSecret,
      webhookKey: 'encrypts the secrets of webhooks in tests',
      signup: 'open',
      uploadMaxBytes: 8 * 1024 * 1024,
      checkReplies: true,
      logLevel: false,
      ...config,
    },
    database,
    producer: producer.port,
    relay: relay.port,
  });
  await app.ready();
  return {
    app,
    database: unlimited,
    clone,
    producer,
    relay,
    async close() {
      await app.close();
      await database.close();
      if (!shared.with && !shared.clone) await clone.drop();
    },
  };
}
