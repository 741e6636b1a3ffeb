import { type RawBuilder, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from './tables.ts';

/**
 * The order in which every transaction takes its locks; a lock may be skipped, never taken after a later one. Two
 * transactions that follow one order cannot wait for each other in a cycle. Rows of one table are taken in the order of
 * their ids. Each entry names what it protects and why it comes where it does.
 *
 * Not in the list are the `key share` locks of foreign keys (a new job on its file, an activity entry on its
 * organization). They conflict only with `update` locks, which are taken on organizations, accounts, files, jobs and
 * records that are about to be deleted, and on the memberships and accounts of a deleted organization.
 */
export const lockOrder = [
  /** Sign-ups while only the first account may be created: taken alone, before anything exists. */
  'first account',
  /** Failed logins of one network address are counted one after the other, in a transaction of their own. */
  'login address',
  /** Members, roles and deletion of an organization. A deletion takes its row and then every other row of it. */
  'organization',
  /** The saved views of one member; all memberships when the organization is deleted. */
  'membership',
  /** Password, email address and second factor; after the memberships, which decide whether an account is kept. */
  'account',
  /** Emails about one subject are counted one after the other, for an account that is already locked. */
  'email subject',
  /**
   * Assets, projects and their relations: exclusive for a writer, shared for a transaction that relates records to
   * assets. Before any row, because one project has thousands of assets.
   */
  'assets',
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
  /** Last, because a run commits its results and the state of its job in one transaction. */
  'job',
] as const;

export type LockName = (typeof lockOrder)[number];

/** Weakest first; each excludes at least what the one before it excludes. */
const strengths = ['key share', 'shared', 'no key update', 'update', 'exclusive'] as const;
type Strength = (typeof strengths)[number];
export type RowLockMode = Extract<Strength, 'key share' | 'no key update' | 'update'>;

type LockTransaction = Transaction<Schema>;

/** A transaction asked for a lock that comes before one that it holds. A mistake in the program, never in the data. */
export class LockOrderError extends Error {
  constructor(wanted: string, held: string) {
    super(`Lock order: ${wanted} must be taken before ${held}, see packages/db/src/locks.ts.`);
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
function requireOrder(trx: LockTransaction, name: LockName): void {
  const { rank } = heldBy(trx);
  const later = lockOrder[rank];
  if (later !== undefined && rank > lockOrder.indexOf(name)) throw new LockOrderError(name, later);
}

/**
 * Records a lock, before it is taken where its key is known by then.
 * @throws LockOrderError when a later lock, a greater key or a weaker lock of the same key is held
 */
function take(trx: LockTransaction, { name, key = '', strength }: Lock): void {
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

const isHeld = (trx: LockTransaction, name: LockName): boolean => heldBy(trx).strengths.has(name);

const clauses: Record<RowLockMode, RawBuilder<unknown>> = {
  'key share': sql`for key share`,
  'no key update': sql`for no key update`,
  update: sql`for update`,
};

type RowLockName = Extract<LockName, 'organization' | 'membership' | 'account' | 'file' | 'record' | 'job'>;

/** One row that a statement is about to lock. */
interface RowLock {
  name: RowLockName;
  /** Absent for the organization that the transaction is in. */
  id?: string;
  mode: RowLockMode;
}

/**
 * The clause that locks the one row of a query: `.modifyEnd(rowLock(trx, …))`, or the end of a raw statement.
 * `update` for a row that may be deleted, `no key update` for one that is changed.
 */
export function rowLock(trx: LockTransaction, { name, id = '', mode }: RowLock): RawBuilder<unknown> {
  take(trx, { name, key: id, strength: mode });
  return clauses[mode];
}

/** Records the row that the next UPDATE or DELETE locks by itself. */
export function expectRowLock(trx: LockTransaction, lock: { name: RowLockName; id: string }): void {
  take(trx, { name: lock.name, key: lock.id, strength: 'update' });
}

/** The clause that locks many records, in any order: only under 'assertions'. */
export function manyRecordsLock(trx: LockTransaction, mode: RowLockMode): RawBuilder<unknown> {
  if (!isHeld(trx, 'assertions')) throw new LockOrderError('assertions', 'record');
  take(trx, { name: 'record', strength: mode });
  return clauses[mode];
}

/**
 * For a worker that takes whatever is free and never waits: such a lock cannot be part of a cycle, so it has no rank.
 */
export const skipLocked = sql`for update skip locked`;

const advisory = (text: string) => sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`;

/** A lock of the organization that the transaction is in. */
const organizationLock = (prefix: string) =>
  sql`hashtextextended(${prefix} || current_organization()::text, 0)`;

const firstAccountKey = 7_241_001;

export async function lockFirstAccount(trx: LockTransaction): Promise<void> {
  take(trx, { name: 'first account', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(${firstAccountKey})`.execute(trx);
}

export async function lockLoginAddress(trx: LockTransaction, network: string): Promise<void> {
  take(trx, { name: 'login address', key: network, strength: 'exclusive' });
  await advisory(`login ${network}`).execute(trx);
}

/** @param subject what the email is about; several are taken in alphabetical order */
export async function lockEmailSubject(
  trx: LockTransaction,
  { subject, hash }: { subject: string; hash: string },
): Promise<void> {
  take(trx, { name: 'email subject', key: subject, strength: 'exclusive' });
  await advisory(`reset ${hash}`).execute(trx);
}

/** Every membership of an organization that is being deleted, under the system role. @returns the account ids */
export async function lockMemberships(trx: LockTransaction, organizationId: string): Promise<string[]> {
  take(trx, { name: 'membership', strength: 'update' });
  const members = await trx
    .selectFrom('membership')
    .select('account_id')
    .where('organization_id', '=', organizationId)
    .orderBy('account_id')
    .forUpdate()
    .execute();
  return members.map((member) => member.account_id);
}

/** Accounts that may be deleted, or whose email addresses change hands. Unknown ids are passed over. */
export async function lockAccounts(trx: LockTransaction, ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(ids)].toSorted();
  for (const id of sorted) take(trx, { name: 'account', key: id, strength: 'update' });
  if (sorted.length === 0) return;
  await trx.selectFrom('account').select('id').where('id', 'in', sorted).orderBy('id').forUpdate().execute();
}

/**
 * For a transaction that writes assets, projects or their relations: one at a time in an organization. Without it two
 * requests could close a cycle of relations that neither sees.
 */
export async function lockAssets(trx: LockTransaction): Promise<void> {
  take(trx, { name: 'assets', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(${organizationLock('assets ')})`.execute(trx);
}

/** For a transaction that relates records to assets, or deletes related records: no asset is deleted meanwhile. */
export async function lockAssetsShared(trx: LockTransaction): Promise<void> {
  take(trx, { name: 'assets', strength: 'shared' });
  await sql`select pg_advisory_xact_lock_shared(${organizationLock('assets ')})`.execute(trx);
}

/** Uploads of one name wait for each other: twenty at once are one created and nineteen replaced. */
export async function lockFileName(trx: LockTransaction, name: string): Promise<void> {
  take(trx, { name: 'file name', key: name, strength: 'exclusive' });
  await sql`
    select pg_advisory_xact_lock(hashtextextended(current_organization()::text || lower(${name}), 0))`.execute(
    trx,
  );
}

/** A report that is about to be replaced or deleted. */
export interface LockedFile {
  id: string;
  name: string;
  content_id: string;
}

/** The file of a name in any case, about to be replaced; under the lock of the name. */
export async function lockFileOfName(
  trx: LockTransaction,
  name: string,
): Promise<(LockedFile & { sha256: Buffer }) | undefined> {
  requireOrder(trx, 'file');
  const file = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id', 'sha256'])
    .where('name_key', '=', sql<string>`lower(${name})`)
    .forUpdate()
    .executeTakeFirst();
  if (file) take(trx, { name: 'file', key: file.id, strength: 'update' });
  return file;
}

/** Locks files that are about to be deleted. @returns those that exist, in the order of their ids */
export async function lockFiles(trx: LockTransaction, ids: readonly string[]): Promise<LockedFile[]> {
  requireOrder(trx, 'file');
  const files = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id } of files) take(trx, { name: 'file', key: id, strength: 'update' });
  return files;
}

/**
 * For a transaction that changes which files assert a record: one at a time in an organization. Without it two
 * deletions of the last two files that assert a record would each see the assertion of the other and both leave the
 * record behind, and a deletion would drop what an extraction has just asserted.
 */
export async function lockAssertions(trx: LockTransaction): Promise<void> {
  if (isHeld(trx, 'assertions')) return;
  take(trx, { name: 'assertions', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(${organizationLock('assertions ')})`.execute(trx);
}

/**
 * Locks the files that assert some records, then the assertions. An extraction that commits while this waits may add
 * files: then everything is released and the files are selected again.
 * @param files selects the ids of the files
 */
export async function lockFilesAndAssertions(
  trx: LockTransaction,
  files: RawBuilder<{ id: string }>,
): Promise<void> {
  const before = heldBy(trx);
  for (;;) {
    heldLocks.set(trx, { ...before, strengths: new Map(before.strengths) });
    await sql`savepoint files`.execute(trx);
    const locked = await selectIds(trx, files);
    for (const id of locked) take(trx, { name: 'file', key: id, strength: 'key share' });
    await sql`
      select from report_file where organization_id = current_organization() and id = any (${locked}::uuid[])
      order by id for key share`.execute(trx);
    await lockAssertions(trx);
    const needed = await selectIds(trx, files);
    const known = new Set(locked);
    if (needed.every((id) => known.has(id))) return;
    await sql`rollback to savepoint files`.execute(trx);
  }
}

async function selectIds(trx: LockTransaction, query: RawBuilder<{ id: string }>): Promise<string[]> {
  const { rows } = await query.execute(trx);
  return rows.map((row) => row.id).toSorted();
}

/** Locks the jobs that a query selects, in the order of their ids. @returns the ids */
export async function lockJobs(
  trx: LockTransaction,
  query: SelectQueryBuilder<Schema, 'job', { id: string }>,
): Promise<string[]> {
  requireOrder(trx, 'job');
  const jobs = await query.orderBy('id').forUpdate().execute();
  for (const { id } of jobs) take(trx, { name: 'job', key: id, strength: 'update' });
  return jobs.map((job) => job.id);
}

/** Whether this worker may delete outdated rows; another one does it while this is false. Never waits. */
export async function tryHousekeepingLock(trx: LockTransaction): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('housekeeping', 0)) as free`.execute(trx);
  return rows[0]?.free ?? false;
}
