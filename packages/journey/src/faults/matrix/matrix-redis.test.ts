import { hasRedisServer } from '@riskboard/testing';
import { describe } from 'vitest';
import { describeMatrix } from './describe-matrix.ts';

describe.skipIf(!hasRedisServer)('with Redis', () => {
  describeMatrix('Redis');
});
