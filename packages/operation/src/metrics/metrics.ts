import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import type { Database } from '@riskboard/db';
import { addGauge } from './add-gauge.ts';

/** Type of the text format (Prometheus, Exposition formats). */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

let processMetrics: Registry | undefined;

/** Memory, CPU time, delay of the event loop, garbage collection. Measured once per process: the timers never end. */
function metricsOfProcess(): Registry {
  if (processMetrics) return processMetrics;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  processMetrics = registry;
  return registry;
}

/** A registry with the figures of the process, which all registries of the process share. */
export function openMetrics(): Registry {
  const registry = new Registry();
  const shared = metricsOfProcess();
  for (const { name } of shared.getMetricsAsArray()) {
    const metric = shared.getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
  return registry;
}

/** Connections of the database's pools: in use, idle, and callers that wait for one. */
export function measurePools(registry: Registry, { pool, systemPool }: Database): void {
  const pools = { app: pool, system: systemPool };
  addGauge(registry, {
    name: 'riskboard_database_connections',
    help: 'Connections to PostgreSQL by pool and state; waiting: callers without a connection.',
    labelNames: ['pool', 'state'] as const,
    collect() {
      for (const [name, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool: name, state: 'in use' }, totalCount - idleCount);
        this.set({ pool: name, state: 'idle' }, idleCount);
        this.set({ pool: name, state: 'waiting' }, waitingCount);
      }
    },
  });
}
