import type { BackendFactory, IQueueBackend, RelayBackendFactory } from 'bullmq';
import type { OnError, QueueNames } from './config.ts';

/** The connections of one producer, consumer or relay, and how BullMQ is to use them. */
export interface Link {
  queueBackend: BackendFactory<IQueueBackend, Link>;
  relayBackend: RelayBackendFactory<Link>;
  ping(): Promise<void>;
  /** Consumers that spoke to the backend in the last `silenceSeconds`: killed and frozen ones are not among them. */
  liveConsumers(): Promise<number>;
  /** The backend's clock, in milliseconds since 1970. */
  now(): Promise<number>;
  /** Never rejects, and never waits for a backend that is gone. */
  end(): Promise<void>;
}

export interface LinkOptions {
  /** Milliseconds after which an unanswered command fails. */
  answerMs: number;
  /** False: a command fails at once while there is no connection, instead of waiting for one. */
  queueOffline: boolean;
  /** By which `liveConsumers` counts this connection. */
  consumerName?: string;
  onError: OnError;
}

/** A consumer speaks at least every `stallMs`; after so long without a word it is counted as dead. */
export const silenceSeconds = 15;

/** Where a link leads to. */
export interface LinkTarget {
  url: string;
  names: QueueNames;
}
