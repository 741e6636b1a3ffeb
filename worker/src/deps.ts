import type { Database } from '@riskboard/db';
import type { Outages } from '@riskboard/operation';
import type { Producer, Relay } from '@riskboard/queue';
import type { Logger } from 'pino';

export interface WebhookConfig {
  /** Decrypts the secrets; absent: no webhook can be signed. */
  key?: string | undefined;
  /** Calls http and private addresses too. */
  allowPrivate: boolean;
}

/** The services that jobs use; tests replace them. */
export interface Deps {
  database: Database;
  producer: Pick<Producer, 'enqueue' | 'recover'>;
  relay: Pick<Relay, 'publish' | 'subscribe'>;
  log: Logger;
  /** Absent: each error is logged. */
  outages?: Outages;
  /** Aborted when the worker stops: a round of housekeeping ends before its next step or organization. */
  stopping?: AbortSignal;
  /** Folder of the embedded database; absent: the database has another disk. */
  databaseFolder?: string | undefined;
  /** Counts how the runs of jobs end. */
  onRunEnd?: (run: { kind: string; outcome: string; seconds: number }) => void;
  /** Base address of MITRE's CWE REST API; empty: catalogues are not fetched. */
  cweApiUrl?: string;
  /** Scheme, host and port of links in webhook messages. */
  origin?: string;
  webhooks?: WebhookConfig;
}
