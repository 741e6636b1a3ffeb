import type { Environment } from '@riskboard/contract/environment';
import type { Database } from '@riskboard/db';
import type { Producer, Relay } from '@riskboard/queue';
import type { Outages } from '@riskboard/operation';
import type { HeldBodyLimits } from './lib/http/held-bodies.ts';
import type { MinimumRates } from './lib/http/slow-bodies.ts';

/** Redis of the installation; its keys begin with the prefix. */
export interface RedisConfig {
  url: string;
  prefix: string;
}

/** Configuration of the api; times in milliseconds, sizes in bytes. */
export interface ApiConfig {
  appOrigins: readonly string[];
  secureCookies: boolean;
  sessionSecret: string;
  /** The previous secret: accepted for what it signed or encrypted, never used for new data. */
  previousSecret?: string | undefined;
  /** Proxies whose X-Forwarded-For is trusted, as addresses or networks; absent: none. */
  trustedProxies?: readonly string[];
  signup: Environment['SIGNUP'];
  /** Addresses are confirmed by mail; absent: no mail server is set, and nothing is verified. */
  verifyEmail?: boolean;
  uploadMaxBytes: number;
  /** Counts calls for all api processes; absent: each counts its own. */
  redis?: RedisConfig | undefined;
  /** Base address of the CWE REST API; absent or empty: only the catalogue is used. */
  cweApiUrl?: string | undefined;
  /** Encrypts the secrets of webhooks; absent: none can be created. */
  webhookKey?: string | undefined;
  /** Webhooks may call http and private addresses. */
  webhooksMayBePrivate?: boolean;
  /** Data folder of the embedded database; absent: the database is elsewhere. */
  databaseFolder?: string | undefined;
  /** Token of `GET /metrics`; absent: the address does not exist. */
  metricsToken?: string | undefined;
  /** Folder whose free space is measured. */
  dataFolder?: string | undefined;
  /** Folder of the built web; absent where another server has the pages (`pnpm dev`), and in tests that do not need it. */
  webRoot?: string | undefined;
  /** Bodies below these rates are ended; absent: the defaults. */
  minimumRates?: Partial<MinimumRates>;
  /** How often it is noted that a file of a batch is being received; absent: the default. */
  receivingNotedEveryMs?: number;
  /** Most bytes of bodies in memory; absent: the defaults. */
  heldBodyLimits?: HeldBodyLimits;
  /** How long the rest of a body is read whose reply is sent; absent: the default. */
  unreadWithinMs?: number;
  /** Destination of the log; absent: standard output. */
  logTo?: { write(line: string): void };
  /** Validates every reply against its schema; on in tests. */
  checkReplies?: boolean;
  /** pino level, or false for no log. */
  logLevel: string | false;
}

/** External dependencies of the application; tests replace them. */
export interface Deps {
  config: ApiConfig;
  database: Database;
  producer: Pick<Producer, 'enqueue' | 'ping' | 'workers'>;
  relay: Pick<Relay, 'publish' | 'subscribe'>;
  /** Made by the application. */
  outages?: Outages;
}
