import { namesOf, type QueueConfig } from './config.ts';
import type { Link, LinkOptions } from './link.ts';
import { postgresLink } from './postgres-link.ts';
import { redisLink } from './redis-link.ts';

/** The one place that chooses the backend. */
export function openLink(config: QueueConfig, options: LinkOptions): Link {
  const names = namesOf(config);
  return config.redisUrl
    ? redisLink({ url: config.redisUrl, names }, options)
    : postgresLink({ url: config.databaseUrl, names }, options);
}
