import type { TestProject } from 'vitest/node';
import { hasContainerEngine } from './containers.ts';
import { startPostgres } from './postgres-service.ts';
import { startRedis } from './redis-service.ts';

/** Starts the services once for a whole vitest run, whatever projects it holds; ends them after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await hasContainerEngine();
  const [database, redis] = await Promise.all([startPostgres(engine), startRedis(engine)]);
  project.provide('services', { database: database.service, redis: redis.service });
  return async () => {
    await Promise.all([database.stop(), redis.stop()]);
  };
}
