import type { QueueConfig } from '@riskboard/queue';
import { createPostgresBackend, createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

export interface WorkerOptions {
  queue: QueueConfig;
  databaseUrl: string;
}

const name = 'plain-jobs';
const prefix = 'plain';

// BullMQ alone as its documentation uses it, with as many connections and the same commits as the product.

const openRedis = (url: string): Redis => new Redis(url, { maxRetriesPerRequest: null });
const openPool = (connectionString: string): Pool =>
  new Pool({ connectionString, max: 4, options: '-c search_path=bullmq -c synchronous_commit=off' });

export interface PlainQueue {
  add(id: string): Promise<unknown>;
  close(): Promise<void>;
}

const jobOptions = (jobId: string) => ({ jobId, removeOnComplete: true, removeOnFail: true });

export function openPlainQueue({ redisUrl, databaseUrl }: QueueConfig): PlainQueue {
  if (redisUrl !== undefined) {
    const connection = openRedis(redisUrl);
    const queue = new Queue(name, { connection, prefix }, createRedisBackend);
    return {
      add: (id) => queue.add('plain', { id }, jobOptions(id)),
      async close() {
        await queue.close();
        connection.disconnect();
      },
    };
  }
  const connection = openPool(databaseUrl);
  const queue = new Queue(name, { connection }, createPostgresBackend);
  return {
    add: (id) => queue.add('plain', { id }, jobOptions(id)),
    async close() {
      await queue.close();
      await connection.end();
    },
  };
}

/** Resolves when the worker waits for jobs. */
export async function startPlainWorker(
  { redisUrl, databaseUrl }: QueueConfig,
  run: (id: string) => void,
): Promise<void> {
  const process = async ({ id }: { id?: string | undefined }): Promise<void> => run(String(id));
  const options = { concurrency: 2 };
  const worker =
    redisUrl === undefined
      ? new Worker(name, process, { ...options, connection: openPool(databaseUrl) }, createPostgresBackend)
      : new Worker(
          name,
          process,
          { ...options, connection: openRedis(redisUrl), prefix },
          createRedisBackend,
        );
  worker.on('error', (error) => console.error(error.message));
  await worker.waitUntilReady();
}
