import type { Database } from '@riskboard/db';
import type { Producer, Relay } from '@riskboard/queue';
import type { Logger } from 'pino';

/** Everything that the jobs talk to; tests bring their own. */
export interface Deps {
  database: Database;
  producer: Pick<Producer, 'enqueue'>;
  relay: Pick<Relay, 'publish' | 'subscribe'>;
  log: Logger;
}
