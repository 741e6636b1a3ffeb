import { Queue, type BulkJobOptions, type IQueueBackend } from 'bullmq';
import { payloadMaxBytes, toPayload, type MessagePayload, type OutgoingMessage } from './message.ts';
import { namesOf, type OnError, type QueueConfig } from './config.ts';
import { settles, within } from './connection/deadline.ts';
import type { BackendConnection } from './connection/connection.ts';
import { openConnection } from './connection/open.ts';
import { openUntilReady, type Opened } from './connection/open-until-ready.ts';
import { isRefusedWrite } from './connection/refused-write.ts';

/** Messages that no consumer has finished, by state. */
export interface QueueCounts {
  waiting: number;
  active: number;
  delayed: number;
}

export interface Producer {
  /**
   * Enqueues messages; one that already waits, is delayed or runs stays as it is. After a rejection the messages may
   * or may not be in the queue: the sweep enqueues them again.
   */
  enqueue(messages: readonly OutgoingMessage[]): Promise<void>;
  /** @throws the refusal of a write (`isRefusedWrite`), the last error of the connection, or that nothing answered */
  ping(): Promise<void>;
  /**
   * Makes workers look for messages that they missed, and ends delays and locks that a worker with a wrong clock caused. On
   * Redis only delays: it repeats notifications itself, and ends locks by its own clock. For a sweep that found messages that
   * no worker takes.
   */
  recover(): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** Live consumers in all processes; a dead or frozen one is no longer counted after at most 20 s. */
  workers(): Promise<number>;
  close(): Promise<void>;
}

type MessageQueue = Queue<
  MessagePayload,
  void,
  string,
  MessagePayload,
  void,
  string,
  IQueueBackend,
  BackendConnection
>;

/** Upper limit for every call of a producer, regardless of the state of the backend. */
const answerMs = 1000;
const bulk = 1000;

/** Enqueues work from this process. Opens at once, even before the backend is up. */
export function openProducer(config: QueueConfig, onError: OnError = () => undefined): Producer {
  let problem: Error | undefined;
  const noteError: OnError = (error) => {
    problem = error;
    onError(error);
  };
  const opening = openUntilReady(() => openQueue(config, noteError), noteError);
  const request = <T>(what: string, work: (queue: QueueWithConnection) => Promise<T>): Promise<T> =>
    within(answerMs, { what, work: opening.ready.then(work) });
  return {
    async enqueue(messages) {
      for (let start = 0; start < messages.length; start += bulk) {
        const jobs = messages.slice(start, start + bulk).map(toJob);
        await request('queue.enqueue', ({ queue }) => add(queue, jobs));
      }
    },
    async ping() {
      try {
        await request('queue.ping', ({ connection }) => connection.ping());
        problem = undefined;
      } catch (error) {
        throw isRefusedWrite(error) ? error : (problem ?? error);
      }
    },
    recover: () => request('queue.recover', ({ connection }) => connection.recover(config)),
    counts: () => request('queue.counts', ({ queue }) => countsOf(queue)),
    workers: () => request('queue.workers', ({ connection }) => connection.liveConsumers()),
    close: () => opening.close(),
  };
}

interface QueueWithConnection {
  queue: MessageQueue;
  connection: BackendConnection;
}

function openQueue(config: QueueConfig, onError: OnError): Opened<QueueWithConnection> {
  const connection = openConnection(config, { answerMs, queueOffline: false, onError });
  const queue: MessageQueue = new Queue(
    namesOf(config).queue,
    { connection, skipMetasUpdate: true },
    connection.queueBackend,
  );
  queue.on('error', onError);
  return {
    client: { queue, connection },
    ready: () => queue.waitUntilReady(),
    async close() {
      await settles(answerMs, queue.close());
      await connection.end();
    },
  };
}

interface MessageJob {
  name: string;
  data: MessagePayload;
  opts: BulkJobOptions;
}

/** A finished job is removed completely: otherwise BullMQ would ignore the next message with its id. */
function toJob(message: OutgoingMessage): MessageJob {
  return {
    name: message.kind,
    data: toPayload(message),
    opts: {
      jobId: message.id,
      delay: message.delayMs,
      ...(message.order === undefined ? {} : { priority: message.order }),
      removeOnComplete: true,
      removeOnFail: true,
      sizeLimit: payloadMaxBytes,
    },
  };
}

/** The PostgreSQL backend creates temporary tables for a bulk insert; a single message, the usual case, needs none. */
async function add(queue: MessageQueue, jobs: MessageJob[]): Promise<void> {
  const [first, ...others] = jobs;
  if (first && others.length === 0) await queue.add(first.name, first.data, first.opts);
  else await queue.addBulk(jobs);
}

async function countsOf(queue: MessageQueue): Promise<QueueCounts> {
  const states = ['waiting', 'prioritized', 'active', 'delayed'] as const;
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = await queue.getJobCounts(...states);
  return { waiting: waiting + prioritized, active, delayed };
}
