/** Runs the jobs of the product and of a plain BullMQ worker on the same backend. Started by job-start.ts. */
import { openDatabase, sessionLimits } from '@riskboard/db';
import { openRelay, startConsumer } from '@riskboard/queue';
import { type Deps, handlers, runJob } from '@riskboard/worker';
import { startPlainWorker, type WorkerOptions } from './job-start-messages.ts';
import { clock } from './events-messages.ts';

const { queue, databaseUrl } = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
const started = (id: string): void => void process.send?.({ id, at: clock() });
const onError = (error: unknown): void => console.error(error);
const log = { info() {}, warn: onError, error: onError } as unknown as Deps['log'];

const deps: Deps = {
  database: openDatabase({ url: databaseUrl, max: 8, limits: sessionLimits.worker }),
  producer: { enqueue: async () => undefined, recover: async () => undefined },
  relay: openRelay(queue),
  log,
};
/** Ends at once: only the way to its first line is measured. */
const observed: typeof handlers = {
  ...handlers,
  async 'stix.parse'({ job }) {
    started(job.id);
    return [];
  },
};
startConsumer(queue, {
  concurrency: 2,
  run: (message, signal) => runJob(deps, { handlers: observed, message, shutdown: signal }),
  onError,
  log,
});

await startPlainWorker(queue, started);
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
