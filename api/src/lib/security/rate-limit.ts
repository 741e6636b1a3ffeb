import rateLimit from '@fastify/rate-limit';
import { isReadOnlyReplica } from '@riskboard/queue';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import type { RedisConfig } from '../../deps.ts';
import { isWebFile } from '../web/web.ts';
import { networkOf } from './network-of.ts';

/** Maximum calls per minute of a session, a token or an address; uploads of thousands of files remain below it. */
const callsPerMinute = 3000;

/** Milliseconds that counting a call in Redis may delay it; without an answer the call is allowed. */
export const countWithinMs = 250;

/** Many users may share one address, so a signed-in caller is counted alone. */
function callerKey(request: FastifyRequest): string {
  const { isPublic } = request.routeOptions.config;
  const own = isPublic ? undefined : request.server.sessions.countedBy(request);
  return own ?? networkOf(request.ip ?? 'unknown');
}

/** Limits calls per session or token, and per address without either; counted in Redis, if configured, for all api processes together. */
export async function limitCalls(app: FastifyInstance, configured: RedisConfig | undefined): Promise<void> {
  const redis = configured
    ? new Redis(configured.url, {
        enableOfflineQueue: false,
        commandTimeout: countWithinMs,
        maxRetriesPerRequest: 1,
        reconnectOnError: isReadOnlyReplica,
      })
    : undefined;
  redis?.on('error', (err: Error) => app.outages.report(err, 'calls are not counted'));
  app.addHook('onClose', () => redis?.disconnect());
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: '1 minute',
    // When Redis fails, calls are allowed rather than refused.
    skipOnError: true,
    keyGenerator: callerKey,
    // A first visit loads dozens of files.
    allowList: (request) => request.url.startsWith('/api/health/') || isWebFile(request),
    ...(configured && redis ? { redis, nameSpace: `${configured.prefix}-rate-` } : {}),
  });
}
