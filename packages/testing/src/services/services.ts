import 'vitest';

/** A PostgreSQL server with a migrated template that test files clone. */
export interface DatabaseService {
  kind: 'database';
  /** How it was started, for the closing lines. */
  origin: string;
  /** For a role that may create and drop databases. */
  adminUrl: string;
  template: string;
  /** Owner of every clone; not a superuser, as in the product. */
  owner: { name: string; password: string };
}

export interface RedisService {
  kind: 'redis';
  origin: string;
  /** Without a database number. */
  url: string;
  /** Number of its numbered databases. */
  databases: number;
}

/** A service that could not be started, and why. */
export interface Missing {
  kind: 'missing';
  reason: string;
}

/** What can start services on this machine. */
export interface Machine {
  /** Whether a container engine answers. */
  engine: boolean;
  /** Folder of this run for the data of local servers. */
  folder: string;
}

/** The services that the global setup provides to test files. */
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
