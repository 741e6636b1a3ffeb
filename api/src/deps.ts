import type { Environment } from '@riskboard/contract/environment';
import type { Database } from '@riskboard/db';
import type { Producer, Relay } from '@riskboard/queue';
import type { Pace } from './lib/http/slow-bodies.ts';

/** What the api is told at start; times in milliseconds, sizes in bytes. */
export interface ApiConfig {
  appOrigins: readonly string[];
  secureCookies: boolean;
  sessionSecret: string;
  /** The secret before this one: what it signed or sealed is still taken, nothing new is. */
  previousSecret?: string | undefined;
  /** Proxies whose X-Forwarded-For is believed, as addresses or networks; absent: this machine. */
  trustedProxies?: readonly string[];
  signup: Environment['SIGNUP'];
  uploadMaxBytes: number;
  redisUrl?: string | undefined;
  /** Base address of the CWE REST API; absent or empty: only the catalogue is asked. */
  cweApiUrl?: string | undefined;
  /** Folder of the built web; absent in tests that do not need it. */
  webRoot?: string | undefined;
  /** The slowest sender that is waited for; absent: the product's own. */
  slowest?: Pace;
  /** Where the log goes; absent: standard output. */
  logTo?: { write(line: string): void };
  /** Checks every reply against its schema; on in tests. */
  checkReplies?: boolean;
  /** pino level, or false for silence. */
  logLevel: string | false;
}

/** Everything that the application talks to; tests bring their own. */
export interface Deps {
  config: ApiConfig;
  database: Database;
  producer: Pick<Producer, 'enqueue' | 'ping' | 'workers'>;
  relay: Pick<Relay, 'publish' | 'subscribe'>;
}
