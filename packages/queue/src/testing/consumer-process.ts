import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueConfig } from '../config.ts';
import { startConsumer } from '../consumer.ts';

/** A worker process for tests. Arguments: configuration (JSON), log file, milliseconds that a run takes. */
const [config = '{}', logFile = '', runMs = '0'] = process.argv.slice(2);
const note = (event: string, id = ''): void => appendFileSync(logFile, `${process.pid} ${event} ${id}\n`);

const consumer = startConsumer(JSON.parse(config) as QueueConfig, {
  concurrency: 1,
  async run({ id }, signal) {
    note('began', id);
    await sleep(Number(runMs), undefined, { signal });
    note('ended', id);
  },
  onError: (error) => note('error', error.message.replaceAll('\n', ' ')),
  log: { info: () => undefined, warn: (_fields, message) => note('warning', message) },
});

process.on('SIGTERM', () => {
  const close = async (): Promise<void> => {
    await consumer.close({ timeoutMs: 10_000 });
    note('closed');
    process.exit(0);
  };
  void close();
});
note('started');
