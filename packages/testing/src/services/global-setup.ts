import type { TestProject } from 'vitest/node';
import { rm } from 'node:fs/promises';
import { hasContainerEngine } from './containers.ts';
import { startPostgres } from './postgres-service.ts';
import { startRedis } from './redis-service.ts';
import { makeRunFolder } from './run-folder.ts';

/** Starts the services once for a vitest run with any projects, and stops them after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeRunFolder();
  const machine = { engine: await hasContainerEngine(), folder };
  const [database, redis] = await Promise.all([startPostgres(machine), startRedis(machine)]);
  project.provide('services', { database: database.service, redis: redis.service });
  return async () => {
    await Promise.all([database.stop(), redis.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
}
