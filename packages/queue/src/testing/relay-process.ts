import type { QueueConfig } from '../config.ts';
import { openRelay } from '../relay.ts';

/** A process on the relay: publishes what its parent sends (`[topic, message]`) and reports what it receives. */
const [config = '{}', pattern = '>'] = process.argv.slice(2);
const report = (kind: string, ...rest: unknown[]): void => void process.send?.([kind, ...rest]);

const relay = openRelay(JSON.parse(config) as QueueConfig, {
  onError: (error) => report('error', error.message),
  onGap: () => report('gap'),
});
await relay.subscribe(pattern, (message, topic) => report('received', topic, message, Date.now()));
process.on('message', ([topic, message]: [string, unknown]) => {
  relay.publish(topic, message).catch((error: Error) => report('error', error.message));
});
process.on('disconnect', () => process.exit(0));
report('subscribed');
