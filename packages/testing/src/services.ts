import 'vitest';

/** A PostgreSQL server with a migrated template that test files clone. */
export interface DatabaseService {
  kind: 'database';
  /** Where it comes from, for the closing lines. */
  origin: string;
  /** May make and drop databases. */
  adminUrl: string;
  template: string;
  /** Owner of every clone: no superuser, as in the product. */
  owner: { name: string; password: string };
}

export interface RedisService {
  kind: 'redis';
  origin: string;
  /** Without a database number. */
  url: string;
  /** How many numbered databases it has. */
  databases: number;
}

/** A service that cannot be had, and why. */
export interface Missing {
  kind: 'missing';
  reason: string;
}

/** What there is to start services with. */
export interface Surroundings {
  /** Whether a container engine answers. */
  engine: boolean;
  /** Of this run, for the servers of this machine. */
  folder: string;
}

/** What the global setup found or started, as test files get it. */
export interface Services {
  database: DatabaseService | Missing;
  redis: RedisService | Missing;
}

export const missing = (reason: string): Missing => ({ kind: 'missing', reason });

declare module 'vitest' {
  interface ProvidedContext {
    services: Services;
  }
}
