import {
  changedEvent,
  type OrganizationEvent,
  type ParseResult,
  type RemovedRecords,
} from '@riskboard/contract';
import {
  lockAssertions,
  nameUploaded,
  newId,
  noRecordChanges,
  type OrganizationTransaction,
  readContent,
  type RecordChanges,
  recordEvents,
  releaseMemory,
  rowLock,
  withOrganization,
  withOrganizationConnection,
} from '@riskboard/db';
import type { Reading } from './row-batch.ts';
import { type SavedCounts, type SavedReport, saveReport } from './save-report.ts';
import { stage } from './staging.ts';
import { readerVersion } from '../../stix/reader-version.ts';
import { ReportError } from '../../stix/report-error.ts';
import { readReport } from '../../stix/read-report.ts';
import type { ReportSummary } from '../../stix/report-sink.ts';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';

type Context = JobContext<'stix.parse'>;

/**
 * Reads a report object by object; its results become visible only when all of it is saved. The same bytes that this version
 * of the reader has read before are not read again.
 */
export const stixParse: JobHandler<'stix.parse'> = async (context) => {
  const { deps, organizationId, payload } = context;
  const { size, sha256, name, isRead, named } = await withOrganization(
    deps.database,
    organizationId,
    async (trx) => {
      const content = await findContent(trx, context);
      return { ...content, ...(await keepResults(trx, context)) };
    },
  );
  if (isRead) return events(context, named);
  const records = await withOrganizationConnection(deps.database, organizationId, async (trx, connection) => {
    const reading: Reading = { fileId: payload.fileId, id: newId(), size };
    const read = await stage(connection, reading, (sink) =>
      readReport(openContent(context, size), sink, { sha256, name, signal: context.signal }),
    ).catch(toFailure);
    context.signal.throwIfAborted();
    // A few statements over the whole report: there is no progress within one.
    context.progress({ phase: 'saving', done: 0, total: 0 });
    const { readBefore } = await lockFile(trx, context);
    const { media, stixVersion } = read;
    const saved = await saveReport(trx, { reading, readBefore, media, stixVersion });
    const summary = { ...read, warnings: [...read.warnings, ...saved.warnings] };
    await writeResults(trx, context, { summary, saved });
    const removed = removedRecords(saved.records);
    if (removed)
      await recordEntries(trx, context, {
        action: 'report.records-removed',
        entries: [{ nounId: payload.fileId, name, detail: { ...removed } }],
      });
    await context.finish(trx, { ...parseResult(summary, saved.counts), ...(removed && { removed }) });
    return saved.records;
  });
  return events(context, named, records);
};

function events({ payload, job }: Context, ...changes: RecordChanges[]): OrganizationEvent[] {
  const by = job.created_by;
  return [
    changedEvent('file.changed', { action: 'updated', by }, [payload.fileId]),
    ...changes.flatMap((records) => recordEvents(records, by)),
  ];
}

/** Undefined when none were deleted. */
function removedRecords({ vulnerability, threat }: RecordChanges): RemovedRecords | undefined {
  const removed = { vulnerability: vulnerability.deleted.count, threat: threat.deleted.count };
  return removed.vulnerability + removed.threat === 0 ? undefined : removed;
}

/** The content that this job was created for; the run ends if the file was replaced or deleted meanwhile. */
async function findContent(
  trx: OrganizationTransaction,
  { payload }: Context,
): Promise<{ size: number; sha256: string; name: string }> {
  const file = await trx
    .selectFrom('report_file')
    .select(['size', 'sha256', 'name'])
    .where('id', '=', payload.fileId)
    .where('content_id', '=', payload.contentId)
    .executeTakeFirst();
  if (!file) throw replaced();
  return { size: file.size, name: file.name, sha256: file.sha256.toString('hex') };
}

const count = (stored: number | null): number => stored ?? 0;

/** Findings of all kinds of warnings, as the list of files counts them. */
const warningCount = (warnings: ReportSummary['warnings']): number =>
  warnings.reduce((sum, warning) => sum + warning.count, 0);

/**
 * Ends the job with the results of the file's last parse if this reader made them: an upload of other bytes clears them. The
 * upload made the file the newest of those that assert its records.
 * @returns whether the file need not be read, and the records that name it now
 */
async function keepResults(
  trx: OrganizationTransaction,
  context: Context,
): Promise<{ isRead: boolean; named: RecordChanges }> {
  const { fileId, contentId } = context.payload;
  const named = noRecordChanges();
  const read = trx
    .selectFrom('report_file')
    .selectAll()
    .where('id', '=', fileId)
    .where('content_id', '=', contentId)
    .where('object_count', 'is not', null);
  if (!(await read.executeTakeFirst())) return { isRead: false, named };
  const file = await read
    .modifyEnd(rowLock(trx, { name: 'file', id: fileId, mode: 'key share' }))
    .executeTakeFirst();
  if (!file) throw replaced();
  await nameUploaded(trx, fileId, named);
  if (file.reader !== readerVersion) return { isRead: false, named };
  await context.finish(trx, {
    stixVersion: file.stix_version,
    wrapper: file.wrapper ?? '',
    objects: count(file.object_count),
    mapped: count(file.mapped),
    unmapped: count(file.unmapped),
    failed: count(file.failed),
    superseded: count(file.superseded),
    revoked: count(file.revoked),
    deprecated: count(file.deprecated),
    vulnerabilityRecords: count(file.vulnerability_records),
    threatRecords: count(file.threat_records),
    warnings: warningCount(file.warnings),
  });
  return { isRead: true, named };
}

/**
 * Locks the file against replacement and deletion. A file that was read before may have extractions: they must wait,
 * and its records are linked again. A first reading has none, and blocks no new job on the file while it is saved.
 */
async function lockFile(
  trx: OrganizationTransaction,
  { payload }: Context,
): Promise<{ readBefore: boolean }> {
  const select = trx
    .selectFrom('report_file')
    .select('object_count')
    .where('id', '=', payload.fileId)
    .where('content_id', '=', payload.contentId);
  const readBefore = await hasRows(trx, payload.fileId);
  const mode = readBefore ? 'update' : 'no key update';
  const locked = await select
    .modifyEnd(rowLock(trx, { name: 'file', id: payload.fileId, mode }))
    .executeTakeFirst();
  if (!locked) throw replaced();
  if (!readBefore && locked.object_count !== null) throw new Error('Another run has just read this report.');
  if (readBefore) await lockAssertions(trx);
  return { readBefore };
}

/** Whether an earlier reading of the file, perhaps of other content, has left rows. */
async function hasRows(trx: OrganizationTransaction, fileId: string): Promise<boolean> {
  const rows = await trx
    .selectFrom('report_file')
    .select('object_count')
    .where('id', '=', fileId)
    .where((eb) =>
      eb.or([
        eb('object_count', 'is not', null),
        ...(['report_record', 'report_object', 'report_object_group', 'report_relation'] as const).map(
          (table) => eb.exists(eb.selectFrom(table).select('file_id').where('file_id', '=', fileId)),
        ),
      ]),
    )
    .execute();
  return rows.length > 0;
}

/** Only a cancelled job that is retried fails like this: replacing a report cancels its jobs. */
const replaced = () =>
  new JobFailure('replaced', 'The report was replaced or deleted after this job was created.');

/** Opens the stored bytes. A second reading, which finds the line of an error, shows no progress. */
function openContent(
  { deps, organizationId, payload, progress }: Context,
  total: number,
): () => AsyncGenerator<Uint8Array> {
  let shown = -1;
  const show = (done: number): void => {
    if (done <= shown) return;
    shown = done;
    progress({ phase: 'reading', done, total });
  };
  return async function* read() {
    let done = 0;
    show(done);
    for await (const bytes of readContent(deps.database, {
      organizationId,
      contentId: payload.contentId,
      size: total,
    })) {
      done += bytes.length;
      yield bytes;
      releaseMemory(bytes);
      show(done);
    }
  };
}

/** An invalid report fails the job with its reason; any other error is retried. */
function toFailure(error: unknown): never {
  if (!(error instanceof ReportError)) throw error;
  throw new JobFailure(error.code, error.message, { cause: error });
}

async function writeResults(
  trx: OrganizationTransaction,
  { payload }: Context,
  { summary, saved: { counts, supersededByType } }: { summary: ReportSummary; saved: SavedReport },
): Promise<void> {
  await trx
    .updateTable('report_file')
    .set({
      stix_version: summary.stixVersion,
      wrapper: summary.wrapper,
      incomplete: summary.warnings.some((warning) => warning.code === 'incomplete-page'),
      object_count: summary.objectTotal,
      mapped: summary.mapped - counts.superseded,
      unmapped: summary.unmapped,
      failed: summary.failed,
      superseded: counts.superseded,
      revoked: counts.revoked,
      deprecated: counts.deprecated,
      vulnerability_records: counts.vulnerabilityRecords,
      threat_records: counts.threatRecords,
      objects: JSON.stringify(summary.byType.histogram()),
      by_type: JSON.stringify(summary.byType.rows(supersededByType)),
      warnings: JSON.stringify(summary.warnings),
      reader: readerVersion,
    })
    .where('id', '=', payload.fileId)
    .execute();
}

const parseResult = (summary: ReportSummary, saved: SavedCounts): ParseResult => ({
  stixVersion: summary.stixVersion,
  wrapper: summary.wrapper,
  objects: summary.objectTotal,
  mapped: summary.mapped - saved.superseded,
  unmapped: summary.unmapped,
  failed: summary.failed,
  ...saved,
  warnings: warningCount(summary.warnings),
});
