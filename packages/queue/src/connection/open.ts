import { namesOf, type QueueConfig } from '../config.ts';
import type { BackendConnection, ConnectionOptions } from './connection.ts';
import { connectPostgres } from './postgres.ts';
import { connectRedis } from './redis.ts';

/** Chooses the backend. Everything above it is the same code for Redis and PostgreSQL. */
export function openConnection(config: QueueConfig, options: ConnectionOptions): BackendConnection {
  const names = namesOf(config);
  return config.redisUrl
    ? connectRedis({ url: config.redisUrl, names }, options)
    : connectPostgres({ url: config.databaseUrl, names, role: config.databaseRole }, options);
}
