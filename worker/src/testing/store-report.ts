import { createHash } from 'node:crypto';
import type { ExtractKind } from '@riskboard/contract';
import {
  cancelJobs,
  chunkBytes,
  type Database,
  deleteFiles,
  dropUnextracted,
  insertJob,
  lockFileOfName,
  nameUploaded,
  newId,
  noRecordChanges,
  type OrganizationTransaction,
  storeChunk,
  withOrganization,
} from '@riskboard/db';
import { sql } from 'kysely';

export interface NewReport {
  organizationId: string;
  name: string;
  content: string | Buffer;
  /** Extractions that wait for the parse. */
  extract?: ExtractKind[];
}

export interface StoredReport {
  fileId: string;
  contentId: string;
  parseJobId: string;
  extractJobId: string | undefined;
}

/** Received content that is not a report yet. */
export interface Content {
  bytes: Buffer;
  contentId: string;
}

export async function storeContent(
  database: Database,
  organizationId: string,
  bytes: Buffer,
): Promise<Content> {
  const content = { organizationId, contentId: newId() };
  for (let n = 0; n === 0 || n * chunkBytes < bytes.length; n += 1) {
    const slice = bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes);
    await storeChunk(database, content, { n, bytes: slice });
  }
  return { bytes, contentId: content.contentId };
}

/** Writes the rows of an upload; an existing report with this name is replaced. */
export async function storeReport(database: Database, report: NewReport): Promise<StoredReport> {
  const content = await storeContent(database, report.organizationId, Buffer.from(report.content));
  return withOrganization(database, report.organizationId, (trx) => saveFile(trx, report, content));
}

export async function saveFile(
  trx: OrganizationTransaction,
  { organizationId, name, extract = [] }: Omit<NewReport, 'content'>,
  { bytes, contentId: received }: Content,
): Promise<StoredReport> {
  const old = await lockFileOfName(trx, name);
  const fileId = old?.id ?? newId();
  const parseJobId = newId();
  const sha256 = createHash('sha256').update(bytes).digest();
  const sameBytes = old?.sha256.equals(sha256) === true;
  const contentId = (sameBytes ? old?.content_id : undefined) ?? received;
  if (sameBytes) await trx.deleteFrom('file_content').where('id', '=', received).execute();
  else await trx.updateTable('file_content').set({ complete: true }).where('id', '=', contentId).execute();
  const columns = {
    content_id: contentId,
    media: bytes.toString('utf8', 0, 100).trimStart().startsWith('<') ? ('xml' as const) : ('json' as const),
    size: bytes.length,
    sha256,
    uploaded_at: sql<Date>`clock_timestamp()`,
    parse_job_id: parseJobId,
  };
  if (old) {
    if (!sameBytes) await dropUnextracted(trx, fileId);
    await trx
      .updateTable('report_file')
      .set(sameBytes ? columns : { ...columns, object_count: null })
      .where('id', '=', fileId)
      .execute();
    if (!sameBytes) await nameUploaded(trx, fileId, noRecordChanges());
    await cancelJobs(trx, { fileIds: [fileId] });
    if (!sameBytes) await trx.deleteFrom('file_content').where('id', '=', old.content_id).execute();
  } else {
    await trx
      .insertInto('report_file')
      .values({ organization_id: organizationId, id: fileId, name, ...columns })
      .execute();
  }
  await insertJob(trx, {
    id: parseJobId,
    kind: 'stix.parse',
    payload: { fileId, contentId },
    organizationId,
    fileId,
  });
  const extractJobId =
    extract.length === 0
      ? undefined
      : await insertJob(trx, {
          kind: 'stix.extract',
          payload: { fileId, kinds: extract },
          organizationId,
          fileId,
          waitsFor: parseJobId,
        });
  return { fileId, contentId, parseJobId, extractJobId };
}

/** Deletes a report as the api does. */
export async function removeFile(trx: OrganizationTransaction, fileId: string): Promise<void> {
  const { files } = await deleteFiles(trx, { ids: [fileId] });
  if (files.length === 0) throw new Error(`No file ${fileId}`);
}

/** Requests an extraction from a parsed report. @returns the job's id */
export const requestExtraction = (
  database: Database,
  organizationId: string,
  { fileId, kinds }: { fileId: string; kinds: ExtractKind[] },
): Promise<string> =>
  withOrganization(database, organizationId, (trx) =>
    insertJob(trx, { kind: 'stix.extract', payload: { fileId, kinds }, organizationId, fileId }),
  );
