import type { Registry } from '@prometheus-io/client';
import {
  addGauge,
  holdsMetricsToken,
  measureDisk,
  measurePools,
  measureQueue,
  metricsType,
} from '@riskboard/operation';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import type { CheckParts } from '../health/check-parts.ts';
import { Failure } from '../lib/http/failure.ts';

/**
 * `GET /metrics`: figures for Prometheus (contract, Jobs and events), decision 0040. Without METRICS_TOKEN the address
 * does not exist.
 */
export function metricsRoutes(
  app: FastifyInstance,
  { config, database }: Deps,
  { registry, checkParts }: { registry: Registry; checkParts: CheckParts },
): void {
  const { metricsToken } = config;
  if (metricsToken === undefined) return;
  measurePools(registry, database);
  measureQueue(registry, database);
  if (config.dataFolder !== undefined) measureDisk(registry, config.dataFolder);
  measureParts(registry, checkParts);
  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async ({ headers }, reply) => {
    if (!holdsMetricsToken(metricsToken, headers.authorization))
      throw new Failure('not_signed_in', 'Send the token of METRICS_TOKEN as bearer.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    return reply
      .type(metricsType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}

/** The parts that readiness checks: 1 when it works. */
function measureParts(registry: Registry, checkParts: CheckParts): void {
  addGauge(registry, {
    name: 'riskboard_part_up',
    help: 'Parts that readiness checks: 1 works, 0 does not.',
    labelNames: ['part'] as const,
    async collect() {
      for (const { name, ok } of await checkParts()) this.set({ part: name }, ok ? 1 : 0);
    },
  });
}
