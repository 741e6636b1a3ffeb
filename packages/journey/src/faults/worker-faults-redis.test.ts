import { testRedisUrl } from '@riskboard/testing';
import { describe } from 'vitest';
import { describeWorkerFaults } from './worker-faults.ts';

const redis = await testRedisUrl();

describe.skipIf(redis.url === null)('with Redis', () => {
  describeWorkerFaults('Redis', redis.url ?? undefined);
});
