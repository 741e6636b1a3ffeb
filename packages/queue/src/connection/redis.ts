import { createRedisBackend, createRedisRelayBackend, type KeyPrefixOptions } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import {
  silenceSeconds,
  type BackendConnection,
  type ConnectionOptions,
  type ConnectionTarget,
} from './connection.ts';
import { inlineStringMethods } from './inline-string-methods.ts';
import { isReadOnlyReplica } from './refused-write.ts';

// ioredis has declared its subclass of String.
inlineStringMethods();

/** Longer than any blocking read (10 s): a connection without traffic for this long is dead. */
const blockingSilenceMs = 15_000;
/** A ping writes a key that Redis deletes after this time. */
const pingKeptMs = 60_000;

/**
 * Limits delays, whose ends BullMQ computes with the clock of the worker, by the clock of the server, and wakes workers for
 * the next one, as BullMQ's changeDelay does. Delays that are over get an end that is over by the clock of every worker. The
 * score of a delayed message is the end of its delay in milliseconds times 4096. Locks and the check for stalled messages
 * expire by the clock of the server.
 */
const recovery = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local isChanged = false
  for _, over in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], 4097, now * 4096, 'LIMIT', 0, 1000)) do
    redis.call('ZADD', KEYS[1], 'XX', 4096, over)
    isChanged = true
  end
  local late = redis.call('ZRANGEBYSCORE', KEYS[1], (now + 60000) * 4096, '+inf', 'WITHSCORES', 'LIMIT', 0, 1000)
  for i = 1, #late, 2 do
    local delay = tonumber(redis.call('HGET', ARGV[1] .. late[i], 'delay')) or 0
    if late[i + 1] / 4096 > now + delay + 60000 then
      redis.call('ZADD', KEYS[1], 'XX', (now + delay) * 4096, late[i])
      isChanged = true
    end
  end
  if isChanged then
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    redis.call('ZADD', KEYS[2], first[2] / 4096, '1')
  end`;

/** BullMQ duplicates a connection for its blocking reads, which must not have the time limits of a command. */
class RedisWithBlockingCopies extends Redis {
  override duplicate(override?: Partial<RedisOptions>): Redis {
    return new Redis({
      ...this.options,
      ...override,
      commandTimeout: undefined,
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      socketTimeout: blockingSilenceMs,
    });
  }
}

/** BullMQ and its relay on Redis 6.2 or newer. */
export function connectRedis(
  { url, names }: ConnectionTarget,
  options: ConnectionOptions,
): BackendConnection {
  const redis = new RedisWithBlockingCopies(url, {
    connectionName: options.consumerName,
    connectTimeout: 5000,
    commandTimeout: options.answerMs,
    enableOfflineQueue: options.queueOffline,
    maxRetriesPerRequest: null,
    // A frozen Redis leaves the connection open, and TCP would take 15 minutes to notice.
    socketTimeout: 5000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
    reconnectOnError: isReadOnlyReplica,
  });
  const prefixed: KeyPrefixOptions = { prefix: names.prefix };
  redis.on('error', options.onError);
  return {
    queueBackend: (name, opts, extra) =>
      createRedisBackend(name, { ...opts, ...prefixed, connection: redis }, extra),
    relayBackend: (opts) => createRedisRelayBackend({ ...opts, ...prefixed, connection: redis }),
    async ping() {
      // PING succeeds on a server that refuses every write.
      await redis.set(`${names.prefix}:ping`, '', 'PX', pingKeptMs);
    },
    async liveConsumers() {
      const clients = String(await redis.client('LIST'));
      return clients.split('\n').filter((line) => isLiveConsumer(line, names.consumer)).length;
    },
    async now() {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1000 + Number(microseconds) / 1000;
    },
    async recover() {
      const queue = `${names.prefix}:${names.queue}:`;
      await redis.eval(recovery, 2, `${queue}delayed`, `${queue}marker`, queue);
    },
    async end() {
      redis.disconnect();
    },
  };
}

/** Redis, CLIENT LIST: `idle` is the seconds since the connection's last command. */
function isLiveConsumer(line: string, consumerPrefix: string): boolean {
  const field = (name: string) => line.match(new RegExp(` ${name}=(\\S*)`))?.[1] ?? '';
  return field('name').startsWith(consumerPrefix) && Number(field('idle')) <= silenceSeconds;
}
