import type { Batch } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { rowLock } from '../locks/row-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Totals that the triggers of migration 0039 keep, in the batch and in its changes. */
const totals = [
  'files',
  'bytes',
  'queued',
  'running',
  'succeeded',
  'with_issues',
  'failed',
  'cancelled',
  'issues',
  'created',
  'updated',
  'unchanged',
  'skipped',
] as const;

type Totals = Record<(typeof totals)[number], number>;

export interface BatchRow extends Totals {
  id: string;
  retriable: number;
  name: string;
  planned_files: number | null;
  planned_bytes: number | null;
  closed_at: Date | null;
  paused_at: Date | null;
  cancelled_at: Date | null;
  created_at: Date;
  created_by: string | null;
  started_at: Date | null;
  ended_at: Date | null;
  /** Arrival of its newest file, or of the newest bytes of one that is still being received (`noteReceiving`). */
  last_received_at: Date | null;
  /** Whether that was, or it was created, within `uploadSilence`. */
  is_recent: boolean;
}

/** With nothing received for this long an upload counts as interrupted: its client waits for up to a minute before a retry. */
const uploadSilence = sql`interval '2 minutes'`;

/** The greater of the two that are not null. */
const lastReceivedAt = sql`greatest(newest.received_at, b.receiving_at)`;

const columns = sql.join(
  totals.map(
    (name) =>
      sql`(b.${sql.ref(name)} + coalesce(c.${sql.ref(name)}, 0))::double precision as ${sql.ref(name)}`,
  ),
);
const sums = sql.join(totals.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));

/** Batches with their totals. @param which the rest of the statement after `from`: conditions, order and limit over `b` */
export async function selectBatches(
  trx: OrganizationTransaction,
  which: RawBuilder<unknown>,
): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select b.id, b.name, b.planned_files, b.planned_bytes::double precision, b.closed_at, b.paused_at, b.cancelled_at,
      b.created_at, b.created_by, least(b.started_at, c.started_at) as started_at,
      greatest(b.ended_at, c.ended_at) as ended_at, ${lastReceivedAt} as last_received_at,
      coalesce(${lastReceivedAt}, b.created_at) > now() - ${uploadSilence} as is_recent, ${columns},
      case when b.failed + coalesce(c.failed, 0) = 0 then 0 else (
        select count(*)::integer from batch_file f
        join report_file r on r.organization_id = f.organization_id and r.id = f.file_id and r.parse_job_id = f.parse_job_id
        where f.organization_id = b.organization_id and f.batch_id = b.id and f.state = 'failed') end as retriable
    from (select * from batch b where b.organization_id = current_organization() ${which}) b
    left join lateral (
      select ${sums}, min(started_at) as started_at, max(ended_at) as ended_at from batch_change c
      where c.organization_id = b.organization_id and c.batch_id = b.id
    ) c on true
    left join lateral (
      select f.received_at from batch_file f where f.organization_id = b.organization_id and f.batch_id = b.id
      order by f.received_at desc limit 1
    ) newest on true
    order by b.created_at desc, b.id desc`.execute(trx);
  return rows;
}

export async function findBatch(trx: OrganizationTransaction, id: string): Promise<BatchRow | undefined> {
  const [row] = await selectBatches(trx, sql`and b.id = ${id}`);
  return row;
}

/**
 * Moves the changes of a batch into its row. Several processes may do it at once: each change is moved by one of them.
 * @returns how many
 */
export async function moveBatchChanges(trx: OrganizationTransaction, batchId: string): Promise<number> {
  // Before its changes, as a deletion of the batch does.
  await trx
    .selectFrom('batch')
    .select('id')
    .where('id', '=', batchId)
    .modifyEnd(rowLock(trx, { name: 'batch', id: batchId, mode: 'no key update' }))
    .execute();
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from batch_change where organization_id = current_organization() and batch_id = ${batchId} returning *
    ), total as (
      select count(*)::integer as moved, ${sums}, min(started_at) as started_at, max(ended_at) as ended_at from moved
    )
    update batch b set ${sql.join(totals.map((name) => sql`${sql.ref(name)} = b.${sql.ref(name)} + coalesce(total.${sql.ref(name)}, 0)`))},
      started_at = least(b.started_at, total.started_at), ended_at = greatest(b.ended_at, total.ended_at)
    from total where b.organization_id = current_organization() and b.id = ${batchId} and total.moved > 0
    returning total.moved`.execute(trx);
  return rows[0]?.moved ?? 0;
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Whether the batch was closed. What arrived since shows that another client still sends: it is open for a while. */
const isClosed = ({ closed_at: closedAt, last_received_at: last, is_recent: isRecent }: BatchRow): boolean =>
  closedAt !== null && !(isRecent && last !== null && last > closedAt);

/** Whether more files are expected: the client announced more than it has sent, and no client has closed the batch. */
export const isReceiving = (row: BatchRow): boolean =>
  !isClosed(row) &&
  row.cancelled_at === null &&
  (row.planned_files === null ? row.files === 0 : row.files < row.planned_files);

function statusOf(row: BatchRow): Batch['status'] {
  const unfinished = row.queued + row.running > 0;
  if (row.cancelled_at !== null && !unfinished) return 'cancelled';
  if (row.paused_at !== null && (unfinished || isReceiving(row))) return 'paused';
  if (isReceiving(row)) return 'receiving';
  return unfinished ? 'running' : 'finished';
}

/** A batch as the API shows it. */
export function presentBatch(row: BatchRow): Batch {
  const status = statusOf(row);
  const isOver = status === 'finished' || status === 'cancelled';
  return {
    _id: row.id,
    name: row.name,
    status,
    files: row.files,
    bytes: row.bytes,
    planned: row.planned_files === null ? null : { files: row.planned_files, bytes: row.planned_bytes ?? 0 },
    states: {
      queued: row.queued,
      running: row.running,
      succeeded: row.succeeded,
      withIssues: row.with_issues,
      failed: row.failed,
      cancelled: row.cancelled,
    },
    retriable: row.retriable,
    issues: row.issues,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    skipped: row.skipped,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    startedAt: iso(row.started_at),
    finishedAt: isOver ? iso(row.ended_at ?? row.cancelled_at ?? row.closed_at) : null,
    pausedAt: iso(row.paused_at),
    closedAt: isReceiving(row) ? null : iso(row.closed_at),
    lastReceivedAt: iso(row.last_received_at),
    uploading: isReceiving(row) && row.is_recent,
    cancelledAt: iso(row.cancelled_at),
  };
}
