import { existsSync } from 'node:fs';

/** Images of the test containers; set the variables when no public registry is reachable. */
export const images = {
  postgres: process.env['TEST_POSTGRES_IMAGE'] ?? 'postgres:18',
  redis: process.env['TEST_REDIS_IMAGE'] ?? 'redis:8',
} as const;

const sockets = ['/var/run/docker.sock', `${process.env['HOME']}/.docker/run/docker.sock`];

/** Whether a container engine answers. Its client library is loaded only when a socket or DOCKER_HOST exists. */
export async function hasContainerEngine(): Promise<boolean> {
  if (process.env['DOCKER_HOST'] === undefined && !sockets.some((path) => existsSync(path))) return false;
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}
