import type { Transaction } from 'kysely';
import type { Schema } from '../tables.ts';

/**
 * The order in which every transaction takes its locks; a lock may be skipped, never taken after a later one. Two
 * transactions that follow one order cannot wait for each other in a cycle. Rows of one table are taken in the order of
 * their ids. Each entry names what it protects and why it comes where it does.
 *
 * Not in the list are the `key share` locks of foreign keys (a new job on its file, an activity entry on its
 * organization). They conflict only with `update` locks, which are taken on organizations, accounts, files, jobs and
 * records that are about to be deleted, and on the memberships and accounts of a deleted organization.
 */
const lockOrder = [
  /** Sign-ups while only the first account may be created: taken alone, before anything exists. */
  'first account',
  /** Failed logins of one network address are counted one after the other, in a transaction of their own. */
  'login address',
  /** Members, roles and deletion of an organization. A deletion takes its row and then every other row of it. */
  'organization',
  /** The saved views and report schedules of one member; all memberships when the organization is deleted. */
  'membership',
  /** Password, email address and second factor; after the memberships, which decide whether an account is kept. */
  'account',
  /** Emails about one subject are counted one after the other, for an account that is already locked. */
  'email subject',
  /** The state of a CSV import: one run at a time, and none while it is deleted. A run takes it before its records. */
  'import',
  /**
   * Whether a batch of reports takes files and starts jobs: `key share` to add a file, `update` to pause, resume, cancel,
   * close or delete it; its totals: `no key update` to move changes into them. Before its files, changes and jobs.
   */
  'batch',
  /**
   * Assets, projects, and their relations to each other and to records, which are counted in the rows of the assets.
   * Before any row, because one project has thousands of assets.
   */
  'assets',
  /** Vignettes are created, renamed, changed and deleted one after the other; before the records, whose scores become stale. */
  'vignettes',
  /** Uploads of one file name follow each other, also while no row has that name yet. */
  'file name',
  /** What a report says: `update` to replace or delete it, `key share` to extract from it or to delete its records. */
  'file',
  /**
   * Which files assert which records. Two or more existing records are locked only under this lock, so their own order
   * does not matter. After the files, because a replaced or deleted file waits for the extractions from it.
   */
  'assertions',
  /** One vulnerability or threat in an edit; many of them under 'assertions'. */
  'record',
  /** Requests to score one vulnerability follow each other, so that a double click finds the queued job. */
  'calculation request',
  /** Rules, alerts, webhooks and deliveries of an organization; before the job that evaluates or delivers. */
  'alerts',
  /**
   * Moving and repairing entries of the overview, and the start of a recomputation; after the records, whose counts of
   * assets a recomputation may repair.
   */
  'overview',
  /** Last, because a run commits its results and the state of its job in one transaction. */
  'job',
] as const;

export type LockName = (typeof lockOrder)[number];

/** Weakest first; each excludes at least what the one before it excludes. */
const strengths = ['key share', 'shared', 'no key update', 'update', 'exclusive'] as const;
type Strength = (typeof strengths)[number];
export type RowLockMode = Extract<Strength, 'key share' | 'no key update' | 'update'>;

export type LockTransaction = Transaction<Schema>;

/** A transaction requested a lock that comes before one that it holds. Caused by the program, never by data. */
export class LockOrderError extends Error {
  constructor(wanted: string, held: string) {
    super(`Lock order: ${wanted} must be taken before ${held}, see packages/db/src/locks/lock-order.ts.`);
    this.name = 'LockOrderError';
  }
}

/** What a transaction has locked so far. */
interface Held {
  /** Position in lockOrder of the last lock; -1 before the first. */
  rank: number;
  /** The greatest key of that lock, in the order of PostgreSQL's uuid type. */
  lastKey: string;
  /** Strength of every lock by its name and key. */
  strengths: Map<string, Strength>;
}

const heldLocks = new WeakMap<LockTransaction, Held>();

function heldBy(trx: LockTransaction): Held {
  const known = heldLocks.get(trx);
  if (known) return known;
  const held: Held = { rank: -1, lastKey: '', strengths: new Map() };
  heldLocks.set(trx, held);
  return held;
}

interface Lock {
  name: LockName;
  /** Distinguishes locks of one name; absent for a name with one lock in an organization. */
  key?: string;
  strength: Strength;
}

/** @throws LockOrderError when a lock that comes after this one is held */
export function requireOrder(trx: LockTransaction, name: LockName): void {
  const { rank } = heldBy(trx);
  const later = lockOrder[rank];
  if (later !== undefined && rank > lockOrder.indexOf(name)) throw new LockOrderError(name, later);
}

/**
 * Records a lock, before it is taken where its key is known by then.
 * @throws LockOrderError when a later lock, a greater key or a weaker lock of the same key is held
 */
export function takeLock(trx: LockTransaction, { name, key = '', strength }: Lock): void {
  const held = heldBy(trx);
  const id = `${name} ${key}`.trim();
  const own = held.strengths.get(id);
  if (own !== undefined) {
    if (strengths.indexOf(strength) <= strengths.indexOf(own)) return;
    throw new LockOrderError(`${id} (${strength})`, `${id} (${own})`);
  }
  requireOrder(trx, name);
  const rank = lockOrder.indexOf(name);
  if (rank === held.rank && key < held.lastKey) throw new LockOrderError(id, `${name} ${held.lastKey}`);
  if (name === 'record' && rank === held.rank && !isHeld(trx, 'assertions'))
    throw new LockOrderError(`assertions for ${id}`, `record ${held.lastKey}`);
  held.rank = rank;
  held.lastKey = key;
  held.strengths.set(id, strength);
}

export const isHeld = (trx: LockTransaction, name: LockName): boolean => heldBy(trx).strengths.has(name);

/**
 * For a transaction that has just set a savepoint and may return to it, which releases the locks taken since.
 * @returns forgets those locks; to be called after each `rollback to savepoint`
 */
export function locksAtSavepoint(trx: LockTransaction): () => void {
  const { rank, lastKey, strengths: taken } = heldBy(trx);
  const before = new Map(taken);
  return () => void heldLocks.set(trx, { rank, lastKey, strengths: new Map(before) });
}
