import { z } from 'zod';
import { BackupError } from '../backup-error.ts';

export const Table = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });
export type Table = z.infer<typeof Table>;

/** What a backup says about itself. */
export const Header = z.object({
  /** Version of Riskboard. */
  version: z.string(),
  /** Instant of the snapshot, by the clock of the database. */
  createdAt: z.string(),
  /** Version of PostgreSQL. */
  postgres: z.string(),
  /** Migrations of the database, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(Table),
  /** Secrets that the installation had generated; absent when its operator keeps them. */
  secrets: z.object({ sessionSecret: z.string().optional(), webhookKey: z.string().optional() }),
  /** To recognize a secret without having it: see `fingerprint`. */
  fingerprints: z.record(z.string(), z.string()),
});
export type Header = z.infer<typeof Header>;

/** `bytes` and `sha256` of the data before its compression. */
export const TableEnd = z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() });
export type TableEnd = z.infer<typeof TableEnd>;

export const End = z.object({
  tables: z.record(z.string(), TableEnd),
  /** Last value of each sequence; null: never used. */
  sequences: z.record(z.string(), z.string().nullable()),
});
export type End = z.infer<typeof End>;

export const toJson = (value: Header | Table | TableEnd | End): Buffer => Buffer.from(JSON.stringify(value));

/** @throws BackupError when the content has another form */
export function fromJson<T>(schema: z.ZodType<T>, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch (error) {
    throw new BackupError('The file has another form than backups of this version of Riskboard.', error);
  }
}
