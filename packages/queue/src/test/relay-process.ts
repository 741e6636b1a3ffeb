import type { QueueConfig } from '../config.ts';
import { openRelay } from '../relay.ts';

/** Another process on the relay. Publishes what its parent sends (`[topic, message]`), reports what it hears. */
const [config = '{}', pattern = '>'] = process.argv.slice(2);
const tell = (word: string, ...rest: unknown[]): void => void process.send?.([word, ...rest]);

const relay = openRelay(JSON.parse(config) as QueueConfig, {
  onError: (error) => tell('error', error.message),
  onGap: () => tell('gap'),
});
await relay.subscribe(pattern, (message, topic) => tell('heard', topic, message, Date.now()));
process.on('message', ([topic, message]: [string, unknown]) => {
  relay.publish(topic, message).catch((error: Error) => tell('error', error.message));
});
process.on('disconnect', () => process.exit(0));
tell('subscribed');
