import { Queue, type BulkJobOptions, type IQueueBackend } from 'bullmq';
import { payloadMaxBytes, toPayload, type BellPayload, type RungBell } from './bell.ts';
import { namesOf, type OnError, type QueueConfig } from './config.ts';
import { settles, within } from './deadline.ts';
import type { Link } from './link.ts';
import { openLink } from './open-link.ts';
import { openUntilReady, type Opened } from './reopen.ts';

/** Bells that no consumer has finished. */
export interface QueueCounts {
  waiting: number;
  active: number;
  delayed: number;
}

export interface Producer {
  /**
   * Rings; a bell that waits, is held back or runs already stays as it is. A rejection says that the bell may or
   * may not have been rung: the caller leaves it to the sweep.
   */
  ring(bells: readonly RungBell[]): Promise<void>;
  ping(): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** Consumers alive in all processes; one that died or froze leaves the count within 20 s. */
  workers(): Promise<number>;
  close(): Promise<void>;
}

type BellQueue = Queue<BellPayload, void, string, BellPayload, void, string, IQueueBackend, Link>;

/** No call of a producer takes longer, whatever the backend does. */
const answerMs = 1000;
const bulk = 1000;

/** For processes that ask for work. Opens at once, also before a backend that is not there yet. */
export function openProducer(config: QueueConfig, onError: OnError = () => undefined): Producer {
  const opening = openUntilReady(() => openQueue(config, onError), onError);
  const ask = <T>(what: string, question: (queue: QueueWithLink) => Promise<T>): Promise<T> =>
    within(answerMs, { what, work: opening.ready.then(question) });
  return {
    async ring(bells) {
      for (let start = 0; start < bells.length; start += bulk) {
        const jobs = bells.slice(start, start + bulk).map(toJob);
        await ask('queue.ring', ({ queue }) => add(queue, jobs));
      }
    },
    ping: () => ask('queue.ping', ({ link }) => link.ping()),
    counts: () => ask('queue.counts', ({ queue }) => countsOf(queue)),
    workers: () => ask('queue.workers', ({ link }) => link.liveConsumers()),
    close: () => opening.close(),
  };
}

interface QueueWithLink {
  queue: BellQueue;
  link: Link;
}

function openQueue(config: QueueConfig, onError: OnError): Opened<QueueWithLink> {
  const link = openLink(config, { answerMs, queueOffline: false, onError });
  const queue: BellQueue = new Queue(
    namesOf(config).queue,
    { connection: link, skipMetasUpdate: true },
    link.queueBackend,
  );
  queue.on('error', onError);
  return {
    client: { queue, link },
    ready: () => queue.waitUntilReady(),
    async close() {
      await settles(answerMs, queue.close());
      await link.end();
    },
  };
}

interface BellJob {
  name: string;
  data: BellPayload;
  opts: BulkJobOptions;
}

/** Nothing of a finished job may stay: BullMQ would swallow the next ring of its id. */
function toJob(bell: RungBell): BellJob {
  return {
    name: bell.kind,
    data: toPayload(bell),
    opts: {
      jobId: bell.id,
      delay: bell.delayMs,
      removeOnComplete: true,
      removeOnFail: true,
      sizeLimit: payloadMaxBytes,
    },
  };
}

/** PostgreSQL makes temporary tables for a bulk: one bell, the usual case, goes without. */
async function add(queue: BellQueue, jobs: BellJob[]): Promise<void> {
  const [first, ...others] = jobs;
  if (first && others.length === 0) await queue.add(first.name, first.data, first.opts);
  else await queue.addBulk(jobs);
}

async function countsOf(queue: BellQueue): Promise<QueueCounts> {
  const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
  return { waiting, active, delayed };
}
