/**
 * Moments at which a process of the product is killed with SIGKILL. A transaction is known by the statements it runs, so the
 * product itself has no code for this. A statement that is a transaction by itself is known too: the process is killed before it
 * is sent, or after its reply. `crash-at.ts` runs inside the process and kills it.
 */
export interface CrashPoint {
  process: 'api' | 'worker';
  /** A statement of the transaction. */
  statement?: RegExp;
  /** A reply to a request to this path. */
  reply?: RegExp;
  /** In which moment: when the statement is sent, or around the commit of its transaction, or before the reply. */
  when: 'at the statement' | 'before commit' | 'after commit' | 'before the reply';
}

const storeFile = /^\s*insert into "report_file"/u;
/** The call that starts a first run, and the transaction that starts any other. */
const claim = /\bfrom start_job\(|^\s*select "kind", "payload", "state", "attempt"/u;
const parse = /^\s*update "report_file" set "stix_version"/u;
const extract = /insert into "vulnerability" as target/u;

export const crashPoints = {
  'upload: content created': {
    process: 'api',
    statement: /^\s*insert into "file_content"/u,
    when: 'after commit',
  },
  'upload: chunk written': {
    process: 'api',
    statement: /^\s*insert into "file_chunk"/u,
    when: 'after commit',
  },
  'upload: before commit': { process: 'api', statement: storeFile, when: 'before commit' },
  'upload: after commit': { process: 'api', statement: storeFile, when: 'after commit' },
  'upload: before the reply': { process: 'api', reply: /^\/api\/reports\/upload/u, when: 'before the reply' },
  'claim: before commit': { process: 'worker', statement: claim, when: 'before commit' },
  'claim: after commit': { process: 'worker', statement: claim, when: 'after commit' },
  'parse: while writing': {
    process: 'worker',
    statement: /^\s*insert into report_record/u,
    when: 'at the statement',
  },
  'parse: before commit': { process: 'worker', statement: parse, when: 'before commit' },
  'parse: after commit': { process: 'worker', statement: parse, when: 'after commit' },
  'extract: while writing': { process: 'worker', statement: extract, when: 'at the statement' },
  'extract: before commit': { process: 'worker', statement: extract, when: 'before commit' },
  'extract: after commit': { process: 'worker', statement: extract, when: 'after commit' },
} as const satisfies Record<string, CrashPoint>;

export type CrashPointName = keyof typeof crashPoints;
export const crashPointNames = Object.keys(crashPoints) as CrashPointName[];
