import type { Database } from '@riskboard/db';
import type { Producer, Relay } from '@riskboard/queue';
import type { Logger } from 'pino';

/** The services that jobs use; tests replace them. */
export interface Deps {
  database: Database;
  producer: Pick<Producer, 'enqueue'>;
  relay: Pick<Relay, 'publish' | 'subscribe'>;
  log: Logger;
  /** Base address of MITRE's CWE REST API; empty: catalogues are not fetched. */
  cweApiUrl?: string;
}
