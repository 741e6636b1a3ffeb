import type { BackendFactory, IQueueBackend, RelayBackendFactory } from 'bullmq';
import type { OnError, QueueConfig, QueueNames } from '../config.ts';

/** The connections of one producer, consumer or relay, and how BullMQ uses them. */
export interface BackendConnection {
  queueBackend: BackendFactory<IQueueBackend, BackendConnection>;
  relayBackend: RelayBackendFactory<BackendConnection>;
  /** Rejects also when the backend answers but stores nothing (`isRefusedWrite`). */
  ping(): Promise<void>;
  /** Consumers that sent a command in the last `silenceSeconds`, which excludes killed and frozen ones. */
  liveConsumers(): Promise<number>;
  /** The backend's clock, in milliseconds since 1970. */
  now(): Promise<number>;
  /** See `Producer.recover`. */
  recover(limits: LockLimits): Promise<void>;
  /** Never rejects, and never waits for a backend that is down. */
  end(): Promise<void>;
}

/** Milliseconds, of QueueConfig. */
export type LockLimits = Pick<QueueConfig, 'lockMs' | 'stallMs'>;

export interface ConnectionOptions {
  /** Milliseconds after which an unanswered command fails. */
  answerMs: number;
  /** False: a command fails at once while there is no connection, instead of waiting for one. */
  queueOffline: boolean;
  /** Marks this connection for `liveConsumers`. */
  consumerName?: string;
  onError: OnError;
}

/** A consumer sends a command at least every `stallMs`; after this many seconds without one it counts as dead. */
export const silenceSeconds = 15;

/** The server to connect to. */
export interface ConnectionTarget {
  url: string;
  names: QueueNames;
  /** PostgreSQL: the role that the sessions take; absent: that of the login. */
  role?: string | undefined;
}
