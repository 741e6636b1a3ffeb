import { readFileSync } from 'node:fs';

/** What a client knows of an operation: `unknown` when the answer was lost or the server was unavailable. */
export type Outcome = 'acknowledged' | 'failed' | 'unknown';

/** Times are milliseconds since the start of the run, by one clock for all clients. */
interface Interval {
  invokedAt: number;
  endedAt: number;
}

export interface Operation extends Interval {
  type: 'operation';
  id: number;
  client: number;
  action:
    | 'upload'
    | 'delete file'
    | 'read file'
    | 'extract'
    | 'create record'
    | 'edit record'
    | 'delete record'
    | 'read record'
    | 'read job';
  /** Name of the file, name of the record, or id of the job. */
  subject: string;
  outcome: Outcome;
  /** HTTP status; null without an answer. */
  status: number | null;
  /** SHA-256 of what an upload sent or a read found; null when a read found nothing. */
  sha256?: string | null;
  recordId?: string | undefined;
  /** Of a record or a job: as read or as acknowledged; null when a read found nothing. */
  version?: number | null | undefined;
  /** Version that an edit required. */
  base?: number;
  /** Description of a record: as sent or as read. */
  value?: string | null | undefined;
  jobId?: string | undefined;
}

/** A message of the server on a client's socket. */
export interface ReceivedEvent {
  type: 'event';
  client: number;
  at: number;
  noun: 'job' | 'vulnerability';
  /** Of a job, its version; of a record, what happened to it. */
  id: string;
  version?: number;
  action?: string;
}

export interface Fault {
  type: 'fault';
  kind: string;
  at: number;
  /** When the fault was removed. */
  endedAt: number;
  /** When both apis were ready again; null if not within a minute. */
  recoveredAt: number | null;
}

/** Resident memory of each process, in MB. */
export interface Memory {
  type: 'memory';
  at: number;
  processes: Record<string, number>;
}

export interface Run {
  type: 'run';
  seed: number;
  minutes: number;
  backend: string;
  /** Names of naive variants. */
  naive: readonly string[];
  startedAt: string;
}

export interface StoredFile {
  id: string;
  name: string;
  sha256: string;
  /** SHA-256 of the stored bytes. */
  contentSha256: string;
  vulnerabilities: number;
  threats: number;
  /** Recounted. */
  countedVulnerabilities: number;
  countedThreats: number;
  parseState: string;
  extractions: number;
  succeededExtractions: number;
}

/** The database after every process has recovered and the queue is empty. */
export interface Stored {
  type: 'stored';
  files: StoredFile[];
  records: { id: string; name: string; description: string; version: number }[];
  jobs: { id: string; kind: string; state: string; version: number; attempt: number; error: string | null }[];
  /** Number of activity entries for an upload of these bytes. */
  uploadEntries: Record<string, number>;
  /** Rows without the row that they belong to. */
  orphans: string[];
  /** Keys that exist twice. */
  doubles: string[];
  /** Numbers of the overview that differ from a recount. */
  overviewDifferences: string[];
}

export type Entry = Run | Operation | ReceivedEvent | Fault | Memory | Stored;

export interface History {
  operations: Operation[];
  events: ReceivedEvent[];
  stored: Stored;
}

/** The entries of one type. */
export const ofType = <T extends Entry['type']>(entries: readonly Entry[], type: T) =>
  entries.filter((entry): entry is Extract<Entry, { type: T }> => entry.type === type);

/** @throws when the run ended before the database was read */
export function historyOf(entries: readonly Entry[]): History {
  const stored = ofType(entries, 'stored').at(-1);
  if (!stored) throw new Error('The history ends before the final state of the database was read.');
  return { operations: ofType(entries, 'operation'), events: ofType(entries, 'event'), stored };
}

/** Reads a history file: one entry per line. */
export const readEntries = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
