import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import { holdsMetricsToken } from './guard.ts';
import { metricsType } from './metrics.ts';

export interface MetricsServer {
  host: string;
  port: number;
  token: string;
}

/** Serves the figures of a process that has no HTTP server of its own. @throws the error of a port in use */
export async function serveMetrics(
  registry: Registry,
  { host, port, token }: MetricsServer,
): Promise<Server> {
  async function answer({ method, url, headers }: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (method !== 'GET' || url?.split('?', 1)[0] !== '/metrics') return end(reply, 404);
    if (!holdsMetricsToken(token, headers.authorization)) {
      reply.setHeader('www-authenticate', 'Bearer');
      return end(reply, 401);
    }
    const text = await registry.metrics();
    reply.setHeader('content-type', metricsType).end(text);
  }
  // Loaded here, because most workers serve no figures and it takes long to load.
  const { createServer } = await import('node:http');
  const server = createServer({ requestTimeout: 10_000 }, (request, reply) => {
    answer(request, reply).catch(() => end(reply, 500));
  });
  server.listen({ host, port });
  await once(server, 'listening');
  server.unref();
  return server;
}

const end = (reply: ServerResponse, status: number): void => {
  reply.statusCode = status;
  reply.end();
};
