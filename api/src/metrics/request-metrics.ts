import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { closeCodes } from '@riskboard/contract';
import { addGauge } from '@riskboard/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { waitedMs } from '../lib/http/prefer-wait.ts';
import { isWebFile } from '../lib/web/web.ts';

/** Seconds: from a list's usual reply to an upload over a slow line. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Methods with their own label; a client may invent others. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The route's pattern, never the address of a request: a bounded number of series, and no ids or tokens. */
function routeOf(request: FastifyRequest): string {
  if (request.is404) return 'unknown';
  if (isWebFile(request)) return 'web file';
  return request.routeOptions.url ?? 'unknown';
}

/** Counts requests and their durations; live connections count when they end, in measureSockets. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const count = new Counter({
    name: 'riskboard_http_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'riskboard_http_request_duration_seconds',
    help: 'Seconds from the headers of a request to the end of its reply without the wait for a job, by method and route.',
    labelNames: ['method', 'route'] as const,
    buckets,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    const method = methods.has(request.method) ? request.method : 'other';
    count.inc({ method, route, status: String(reply.statusCode) });
    duration.observe({ method, route }, (reply.elapsedTime - waitedMs(request)) / 1000);
  });
}

/** Close codes with their own label: RFC 6455 and the product's; a client may send any of 4,000. */
const codes: ReadonlySet<number> = new Set([
  1000,
  1001,
  1005,
  1006,
  1009,
  1011,
  ...Object.values(closeCodes),
]);

/** Counts live connections: those open, and how the others ended. @returns the function to call when one ends */
export function measureSockets(app: FastifyInstance, registry: Registry): (code: number) => void {
  addGauge(registry, {
    name: 'riskboard_sockets_open',
    help: 'Open live connections (WebSocket) of this process.',
    collect() {
      this.set(app.websocketServer.clients.size);
    },
  });
  const ended = new Counter({
    name: 'riskboard_sockets_ended_total',
    help: 'Ended live connections by close code (RFC 6455, 7.4); 1006: broken without one.',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  return (code) => ended.inc({ code: codes.has(code) ? String(code) : 'other' });
}
