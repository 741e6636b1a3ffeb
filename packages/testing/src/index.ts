export { chromiumPath } from './chromium.ts';
export { countOverview } from './count-overview.ts';
export {
  copyDatabase,
  createEmptyDatabase,
  createTestDatabase,
  dropDatabase,
  type TestDatabase,
} from './database.ts';
export { type FakeClock, fakeClock } from './fake-clock.ts';
export { referenceData, reportMissing } from './missing.ts';
export { type TestRedis, testRedisUrl } from './redis.ts';
export { hasRedisServer, type RedisServer, startRedisServer } from './redis-server.ts';
export { recordRowsVisited, type StatementWork } from './rows-visited.ts';
export { startProxy, type TcpProxy } from './tcp-proxy.ts';
export { waitMs } from './wait-ms.ts';
export { withClient } from './with-client.ts';
