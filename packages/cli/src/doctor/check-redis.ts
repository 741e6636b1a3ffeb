import { isRedisRefusal, readRedisState, type RedisState } from '@riskboard/queue';
import { judgeClock } from './check-host.ts';
import { failed, fine, type Finding, messageOf, warning } from './finding.ts';

/** BullMQ needs Redis 6.2 or newer. */
const least: readonly [major: number, minor: number] = [6, 2];

function judgeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > least[0] || (major === least[0] && minor >= least[1]);
  if (isNew) return fine('redis version', version);
  return failed('redis version', `${version} is too old`, `Use Redis ${least.join('.')} or newer.`);
}

export function judgeRedis(state: RedisState, offsetMs: number): Finding[] {
  return [
    judgeVersion(state.version),
    state.policy === 'noeviction'
      ? fine('redis policy', 'noeviction')
      : failed(
          'redis policy',
          `maxmemory-policy is ${state.policy}: queued jobs may be evicted`,
          'Run: redis-cli config set maxmemory-policy noeviction, and set it in redis.conf.',
        ),
    state.isPersistent
      ? fine('redis persistence', 'on')
      : warning(
          'redis persistence',
          'off: after a restart of Redis jobs wait until the sweep enqueues them again',
          'Set appendonly yes in redis.conf.',
        ),
    judgeClock('redis', offsetMs),
  ];
}

export async function checkRedis(url: string): Promise<Finding[]> {
  try {
    const startedAt = Date.now();
    const state = await readRedisState(url);
    return judgeRedis(state, state.now - (startedAt + Date.now()) / 2);
  } catch (error) {
    if (isRedisRefusal(error))
      return [
        failed(
          'redis',
          `refuses the address: ${messageOf(error)}`,
          'Correct the user, the password or the database number in REDIS_URL.',
        ),
      ];
    return [failed('redis', `does not answer: ${messageOf(error)}`, 'Start Redis, or correct REDIS_URL.')];
  }
}
