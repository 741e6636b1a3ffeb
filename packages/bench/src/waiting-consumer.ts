import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueConfig, startConsumer } from '@riskboard/queue';

/** A worker process of the bench `waiting-jobs`: its jobs only wait. Arguments: configuration (JSON), milliseconds. */
const [config = '{}', waitMs = '50'] = process.argv.slice(2);
let ended = 0;
startConsumer(JSON.parse(config) as QueueConfig, {
  concurrency: 1,
  async run() {
    await sleep(Number(waitMs));
    ended += 1;
    process.send?.({ ended });
  },
  onError: (error) => console.error(error.message),
  log: { info: () => undefined, warn: (_fields, message) => console.error(message) },
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
