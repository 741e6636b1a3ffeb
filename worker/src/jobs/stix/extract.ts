import { changedEvent, type ExtractResult, type OrganizationEvent } from '@riskboard/contract';
import { ExtractKind } from '@riskboard/contract/schemas';
import {
  deleteFormerScores,
  lockAssertions,
  markWithdrawn,
  objectsOfRows,
  type OrganizationTransaction,
  type RecordTableName,
  recordsSharingObjects,
  refreshRecords,
  rowLock,
  withdrawnObjects,
  withOrganization,
} from '@riskboard/db';
import { sql } from 'kysely';
import { extractBatch, lockRecords } from './extract-records.ts';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';

type Context = JobContext<'stix.extract'>;
type Counts = NonNullable<ExtractResult['byKind'][ExtractKind]>;
interface KindCounts extends Counts {
  createdIds: string[];
  /** Records that it withdraws or supersedes, and those of its own that other reports supersede. */
  ended: number;
}

const tables: Record<ExtractKind, RecordTableName> = { vulnerabilities: 'vulnerability', threats: 'threat' };
/** Records per statement: few enough to report progress, many enough to be efficient. */
const batchSize = 5000;
const idsShown = 1000;
const issuesShown = 200;

/** Creates and updates vulnerabilities and threats from a parsed report, in one transaction. */
export const stixExtract: JobHandler<'stix.extract'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const file = await lockFile(trx, context);
    await lockAssertions(trx);
    const kinds = ExtractKind.options.filter((kind) => context.payload.kinds.includes(kind));
    const existing = new Set<ExtractKind>();
    for (const kind of kinds) if (await lockRecords(trx, file.id, tables[kind])) existing.add(kind);
    const byKind: Partial<Record<ExtractKind, KindCounts>> = {};
    for (const kind of kinds)
      byKind[kind] = await extractKind(trx, context, { ...file, kind, hasExisting: existing.has(kind) });
    const result = await summarize(trx, context, byKind);
    const { created, updated, unchanged, skipped } = result;
    await recordEntries(trx, context, {
      action: 'report.extracted',
      entries: [
        {
          nounId: file.id,
          name: context.job.file_name ?? '',
          detail: { kinds: result.kinds, created, updated, unchanged, skipped },
        },
      ],
    });
    await context.finish(trx, result);
    return events(context, byKind);
  });

interface File {
  id: string;
  name: string;
}

/**
 * Held until the commit: a replacement or deletion of the file waits, so that no result outlives it. Deleting one of its
 * records does not wait, because that only updates counts in the file's row.
 */
async function lockFile(trx: OrganizationTransaction, { payload }: Context): Promise<File> {
  const file = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'object_count'])
    .where('id', '=', payload.fileId)
    .modifyEnd(rowLock(trx, { name: 'file', id: payload.fileId, mode: 'key share' }))
    .executeTakeFirst();
  if (!file) throw new JobFailure('deleted', 'The report has been deleted.');
  if (file.object_count === null) throw new JobFailure('not_read', 'The report has not been read.');
  return file;
}

async function extractKind(
  trx: OrganizationTransaction,
  context: Context,
  { id, name, kind, hasExisting }: File & { kind: ExtractKind; hasExisting: boolean },
): Promise<KindCounts> {
  const table = tables[kind];
  const counts: KindCounts = { created: 0, updated: 0, unchanged: 0, skipped: 0, createdIds: [], ended: 0 };
  const { batches, total, skipped } = await planBatches(trx, id, table);
  counts.skipped = skipped;
  let done = 0;
  let after = '';
  for (const { upTo, size } of batches) {
    context.signal.throwIfAborted();
    context.progress({ phase: `extracting ${kind}`, done, total });
    const batch = await extractBatch(trx, {
      fileId: id,
      fileName: name,
      table,
      after,
      upTo,
      size,
      hasExisting,
    });
    counts.created += batch.created;
    counts.updated += batch.updated;
    counts.unchanged += size - batch.created - batch.updated;
    counts.createdIds.push(...batch.createdIds.slice(0, idsShown - counts.createdIds.length));
    after = upTo;
    done += size;
    context.progress({ phase: `extracting ${kind}`, done, total });
  }
  if (skipped > 0) counts.ended += await markWithdrawn(trx, { table, fileId: id });
  counts.ended += await refreshSharing(trx, { table, fileId: id, count: total + skipped });
  if (kind === 'vulnerabilities') await deleteFormerScores(trx);
  return counts;
}

/**
 * Of several versions of an object the newest counts, also where they are several records. Those of other reports that have an
 * object of the file under another key, and the file's own ones, follow what all reports say.
 * @returns how many records changed
 */
async function refreshSharing(
  trx: OrganizationTransaction,
  { table, fileId, count }: { table: RecordTableName; fileId: string; count: number },
): Promise<number> {
  const objects = objectsOfRows(table, sql`r.file_id = ${fileId}`);
  const { others, own } = await recordsSharingObjects(trx, { table, objects, count, files: [fileId] });
  const ids = [...new Set([...others, ...own])];
  return (await refreshRecords(trx, { table, ids, activeOnly: true })).length;
}

interface Slice {
  upTo: string;
  size: number;
}

/** A file's records of one kind: the active ones in batches by key, and the number of objects that are withdrawn. */
async function planBatches(trx: OrganizationTransaction, fileId: string, table: RecordTableName) {
  const { rows: batches } = await sql<Slice>`
    select max(key) as "upTo", count(*)::int as size from (
      select key, (row_number() over (order by key) - 1) / ${batchSize}::int as batch
      from report_record
      where organization_id = current_organization() and file_id = ${fileId} and kind = ${table} and state = 'active'
    ) r group by batch order by batch`.execute(trx);
  const { rows } = await sql<{ skipped: number }>`
    select count(*)::int as skipped from ${sql.raw(withdrawnObjects)} withdrawn
    where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}`.execute(trx);
  const total = batches.reduce((sum, { size }) => sum + size, 0);
  return { batches, total, skipped: rows[0]?.skipped ?? 0 };
}

async function summarize(
  trx: OrganizationTransaction,
  { payload }: Context,
  byKind: Partial<Record<ExtractKind, KindCounts>>,
): Promise<ExtractResult> {
  const all = Object.values(byKind);
  const sum = (field: 'created' | 'updated' | 'unchanged' | 'skipped') =>
    all.reduce((total, counts) => total + counts[field], 0);
  const totals = {
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    skipped: sum('skipped'),
  };
  return {
    kinds: payload.kinds,
    records: totals.created + totals.updated + totals.unchanged + totals.skipped,
    ...totals,
    byKind: withoutIds(byKind),
    createdIds: all.flatMap((counts) => counts.createdIds).slice(0, idsShown),
    // Looking for them would read every record of the report.
    issues: totals.skipped === 0 ? [] : await listSkipped(trx, payload),
  };
}

const withoutIds = (byKind: Partial<Record<ExtractKind, KindCounts>>): ExtractResult['byKind'] =>
  Object.fromEntries(
    Object.entries(byKind).map(([kind, { created, updated, unchanged, skipped }]) => [
      kind,
      { created, updated, unchanged, skipped },
    ]),
  );

/** The first objects that were skipped, with their locations; the import report lists all of them. */
async function listSkipped(
  trx: OrganizationTransaction,
  payload: Context['payload'],
): Promise<ExtractResult['issues']> {
  const { rows } = await sql<{
    location: string;
    type: string;
    stix_id: string | null;
    state: 'revoked' | 'deprecated';
  }>`
    select location, type, stix_id, state from ${sql.raw(withdrawnObjects)} withdrawn
    where organization_id = current_organization() and file_id = ${payload.fileId}
      and kind = any (${payload.kinds.map((kind) => tables[kind])}::text[])
    order by ordinal limit ${issuesShown}`.execute(trx);
  return rows.map((row) => ({
    location: row.location,
    type: row.type,
    stixId: row.stix_id,
    outcome: row.state,
    reason: `The report marks it as ${row.state}`,
  }));
}

function events(
  { payload, job }: Context,
  byKind: Partial<Record<ExtractKind, KindCounts>>,
): OrganizationEvent[] {
  const by = job.created_by;
  // Unchanged records have another source file and one more report than before.
  const changed = (kind: ExtractKind): number => {
    const { created = 0, updated = 0, unchanged = 0, ended = 0 } = byKind[kind] ?? {};
    return created + updated + unchanged + ended;
  };
  const types = { vulnerabilities: 'vulnerability.changed', threats: 'threat.changed' } as const;
  return [
    { type: 'file.changed', ids: [payload.fileId], count: 1, action: 'updated', by },
    ...payload.kinds
      .filter((kind) => changed(kind) > 0)
      .map((kind) => changedEvent(types[kind], { action: 'changed', by }, changed(kind))),
  ];
}
