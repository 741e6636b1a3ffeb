import type { ParseResult } from '@riskboard/contract';
import {
  newId,
  type OrganizationTransaction,
  readContent,
  withOrganization,
  withOrganizationConnection,
} from '@riskboard/db';
import { countByType } from '../report/by-type.ts';
import type { Reading } from '../report/row-batch.ts';
import { saveReport } from '../report/save-report.ts';
import { stage } from '../report/staging.ts';
import { ReportError } from '../stix/report-error.ts';
import { readReport } from '../stix/read-report.ts';
import type { ReportSummary } from '../stix/report-sink.ts';
import type { JobContext, JobHandler } from './context.ts';
import { JobFailure } from './failures.ts';

type Context = JobContext<'stix.parse'>;

/** Reads a report object by object into what it says; nothing of it shows before all of it is read. */
export const stixParse: JobHandler<'stix.parse'> = async (context) => {
  const { deps, organizationId, payload } = context;
  const { size, sha256 } = await withOrganization(deps.database, organizationId, (trx) =>
    findContent(trx, context),
  );
  await withOrganizationConnection(deps.database, organizationId, async (trx, connection) => {
    const reading: Reading = { fileId: payload.fileId, id: newId() };
    const summary = await stage(connection, reading, (sink) =>
      readReport(countBytes(context, size), sink, { sha256, signal: context.signal }),
    ).catch(toFailure);
    context.signal.throwIfAborted();
    // A few statements over everything: how far one of them is, nobody can tell.
    context.progress({ phase: 'saving', done: 0, total: 0 });
    const { readBefore } = await lockFile(trx, context);
    const { media, stixVersion } = summary;
    const saved = await saveReport(trx, { reading, readBefore, media, stixVersion });
    await writeAccount(trx, context, { summary, saved });
    await context.finish(trx, parseResult(summary, saved));
  });
  return [
    { type: 'file.changed', ids: [payload.fileId], count: 1, action: 'updated', by: context.job.created_by },
  ];
};

type Saved = Awaited<ReturnType<typeof saveReport>>;

/** The content that this job was made for; a file that has been replaced or deleted meanwhile ends the run. */
async function findContent(
  trx: OrganizationTransaction,
  { payload }: Context,
): Promise<{ size: number; sha256: string }> {
  const file = await trx
    .selectFrom('report_file')
    .select(['size', 'sha256'])
    .where('id', '=', payload.fileId)
    .where('content_id', '=', payload.contentId)
    .executeTakeFirst();
  if (!file) throw replaced();
  return { size: file.size, sha256: file.sha256.toString('hex') };
}

/** A file without an account has no rows of an earlier reading: they come and go with it. */
async function lockFile(
  trx: OrganizationTransaction,
  { payload }: Context,
): Promise<{ readBefore: boolean }> {
  const file = await trx
    .selectFrom('report_file')
    .select('object_count')
    .where('id', '=', payload.fileId)
    .where('content_id', '=', payload.contentId)
    .forUpdate()
    .executeTakeFirst();
  if (!file) throw replaced();
  return { readBefore: file.object_count !== null };
}

/** Its job was cancelled with it; only a cancelled job that is run again gets to say so. */
const replaced = () =>
  new JobFailure('replaced', 'The report has been replaced or deleted since this job was made.');

async function* countBytes(
  { deps, organizationId, payload, progress }: Context,
  total: number,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  progress({ phase: 'reading', done, total });
  for await (const bytes of readContent(deps.database, { organizationId, contentId: payload.contentId })) {
    yield bytes;
    done += bytes.length;
    progress({ phase: 'reading', done, total });
  }
}

/** What is wrong with a report is its sender's to know; anything else is ours and is tried again. */
function toFailure(error: unknown): never {
  if (!(error instanceof ReportError)) throw error;
  throw new JobFailure(error.code, error.message, { cause: error });
}

async function writeAccount(
  trx: OrganizationTransaction,
  { payload }: Context,
  { summary, saved }: { summary: ReportSummary; saved: Saved },
): Promise<void> {
  await trx
    .updateTable('report_file')
    .set({
      stix_version: summary.stixVersion,
      wrapper: summary.wrapper,
      incomplete: summary.warnings.some((warning) => warning.code === 'incomplete-page'),
      object_count: summary.objectTotal,
      mapped: summary.mapped - saved.superseded,
      unmapped: summary.unmapped,
      failed: summary.failed,
      superseded: saved.superseded,
      revoked: saved.revoked,
      deprecated: saved.deprecated,
      vulnerability_records: saved.vulnerabilityRecords,
      threat_records: saved.threatRecords,
      objects: JSON.stringify(summary.objects),
      by_type: JSON.stringify(await countByType(trx, payload.fileId, summary.objects)),
      warnings: JSON.stringify(summary.warnings),
    })
    .where('id', '=', payload.fileId)
    .execute();
}

const parseResult = (summary: ReportSummary, saved: Saved): ParseResult => ({
  stixVersion: summary.stixVersion,
  wrapper: summary.wrapper,
  objects: summary.objectTotal,
  mapped: summary.mapped - saved.superseded,
  unmapped: summary.unmapped,
  failed: summary.failed,
  ...saved,
  warnings: summary.warnings.length,
});
