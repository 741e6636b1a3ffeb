export type { QueueMessage, OutgoingMessage } from './message.ts';
export type { OnError, QueueConfig, QueueLog } from './config.ts';
export { startConsumer, type Consumer, type ConsumerOptions } from './consumer.ts';
export { isRedisRefusal, readRedisState, redisProblem, type RedisState } from './redis-state.ts';
export { prepareQueue } from './prepare.ts';
export { openProducer, type Producer, type QueueCounts } from './producer.ts';
export { openRelay, type Relay, type RelayHandler, type RelayOptions } from './relay.ts';
export { RetryLater } from './runner.ts';
export type { Run } from './runner.ts';
