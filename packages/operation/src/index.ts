export { embeddedFolder, freeBytes, reservedBytes } from './disk-space.ts';
export { listenProblem } from './listen-problem.ts';
export {
  asJsonLine,
  jsonLine,
  logDestination,
  type LogDestination,
  outliveReaders,
} from './log/log-destination.ts';
export { type Level, readableLine } from './log/log-line.ts';
export { collectWhenIdle } from './memory/collect-when-idle.ts';
export { addGauge } from './metrics/add-gauge.ts';
export { measureDisk } from './metrics/disk-metrics.ts';
export { holdsMetricsToken } from './metrics/guard.ts';
export { measurePools, metricsType, openMetrics } from './metrics/metrics.ts';
export { measureQueue } from './metrics/queue-metrics.ts';
export { serveMetrics } from './metrics/serve-metrics.ts';
export { type Dependency, isConnectionError, type Outages, watchOutages } from './outages.ts';
export { hasWeb, webFolder } from './web-build.ts';
export { Pacer } from './pacer.ts';
export { reachDatabase } from './until-reachable.ts';
