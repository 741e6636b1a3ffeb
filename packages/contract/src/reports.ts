import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { ExtractKind, ExtractResult, JobState, jobStates } from './jobs.ts';
import { defineList, Facets, listFields } from './list.ts';

/** A warning the parse kept: what, how often, and the first place where it was seen. */
export const ReportWarning = z.object({
  code: z.string(),
  message: z.string(),
  place: z.string().optional(),
  count: z.int(),
});
export type ReportWarning = z.infer<typeof ReportWarning>;

/** An uploaded report. `size` in bytes. Counts are null until the parse is through. */
export const ReportFile = z
  .object({
    _id: Id,
    originalFilename: z.string(),
    stixVersion: z.string().nullable(),
    media: z.enum(['json', 'xml']),
    uploadDate: Time,
    size: z.int(),
    sha256: z.string(),
    /** State of the newest parse. */
    parseState: JobState,
    parseError: z.string().nullable(),
    /** Extracted records that the file asserts. */
    vulnerabilityCount: z.int(),
    threatCount: z.int(),
    /** Records found by the parse, extracted or not. */
    vulnerabilityRecords: z.int().nullable(),
    threatRecords: z.int().nullable(),
    objects: z.record(z.string(), z.int()).nullable(),
    warnings: z.array(ReportWarning),
    /** A TAXII page that says more pages follow. */
    incomplete: z.boolean(),
  })
  .meta({ id: 'ReportFile' });
export type ReportFile = z.infer<typeof ReportFile>;

export const reportFileList = defineList(
  {
    originalFilename: { label: 'Name', kind: 'text' },
    stixVersion: { label: 'STIX', kind: 'choice' },
    /** Of the newest parse. */
    parseState: { label: 'State', kind: 'choice', values: jobStates, sortable: false },
    vulnerabilityCount: { label: 'Vulnerabilities', kind: 'number' },
    threatCount: { label: 'Threats', kind: 'number' },
    /** Bytes. */
    size: { label: 'Size', kind: 'number' },
    uploadDate: { label: 'Uploaded', kind: 'time' },
  },
  {
    standard: '-uploadDate',
    /** Files of these names, in any case. */
    extra: { name: z.union([z.string(), z.array(z.string())]) },
  },
);

/** Why an object or record of a file is not a record of the product. */
export const outcomes = ['unmapped', 'failed', 'revoked', 'deprecated', 'superseded'] as const;
export const Outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof Outcome>;

export const ImportObject = z.object({
  ordinal: z.int(),
  place: z.string(),
  type: z.string(),
  stixId: z.string().nullable(),
  outcome: Outcome,
  reason: z.string(),
});
export type ImportObject = z.infer<typeof ImportObject>;

/** Objects and records of a file that are not in the lists, in the order of the file. */
export const importObjectList = defineList(
  {
    /** Counted from the first object of the file. */
    ordinal: { label: 'No.', kind: 'number' },
    /** Where it stands in the file; sorted by, as its number. */
    place: { label: 'Place', kind: 'text' },
    type: { label: 'Type', kind: 'choice' },
    stixId: { label: 'ID', kind: 'text' },
    outcome: { label: 'Outcome', kind: 'choice', values: outcomes },
    reason: { label: 'Reason', kind: 'choice' },
  },
  { standard: 'place', extra: {} },
);

/**
 * The account of a file, object by object: `objects` = mapped + unmapped + failed + superseded;
 * `records` = active + revoked + deprecated.
 */
export const ImportReport = z.object({
  fileId: Id,
  originalFilename: z.string(),
  objects: z.int(),
  mapped: z.int(),
  unmapped: z.int(),
  failed: z.int(),
  superseded: z.int(),
  records: z.int(),
  active: z.int(),
  revoked: z.int(),
  deprecated: z.int(),
  /** By object type: how many there are and what became of them. */
  byType: z.array(
    z.object({
      type: z.string(),
      total: z.int(),
      mapped: z.int(),
      unmapped: z.int(),
      failed: z.int(),
      superseded: z.int(),
      reason: z.string().nullable(),
    }),
  ),
  warnings: z.array(ReportWarning),
  extracted: z.object({ vulnerabilities: z.int(), threats: z.int() }),
});
export type ImportReport = z.infer<typeof ImportReport>;

const CountReply = z.object({ count: z.int() });
const Extract = z.object({ id: Id });
const Extracted = z.object({ result: ExtractResult, message: z.string() });

export const reports = endpoints({
  upload: {
    method: 'POST',
    path: '/api/reports/upload',
    access: 'analyst',
    summary: 'Upload a STIX or TAXII report (.json, .xml); a file of the same name is replaced',
    multipart: { field: 'stixFile' },
    // A browser sends thousands of small files, a hundred a second.
    perMinute: 12_000,
    query: z.object({
      /** Comma separated: vulnerabilities, threats. Chained to the parse. */
      extract: z
        .string()
        .optional()
        .transform((value) => (value ? value.split(',') : []))
        .pipe(z.array(ExtractKind)),
    }),
    reply: {
      201: z.object({
        success: z.literal(true),
        action: z.enum(['created', 'replaced']),
        _id: Id,
        id: Id,
        stixVersion: z.string().nullable(),
        jobId: Id,
      }),
    },
  },
  files: {
    method: 'GET',
    path: '/api/reports/files',
    access: 'viewer',
    summary: 'All uploaded reports; search runs over name, size and counts',
    query: reportFileList.query,
    reply: { 200: z.object({ files: z.array(ReportFile), ...listFields }) },
  },
  fileFacets: {
    method: 'GET',
    path: '/api/reports/files/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: reportFileList.facetsQuery,
    reply: { 200: Facets },
  },
  fileExport: {
    method: 'GET',
    path: '/api/reports/files/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: reportFileList.exportQuery,
    reply: { 200: null },
  },
  file: {
    method: 'GET',
    path: '/api/reports/files/:id',
    access: 'viewer',
    summary: 'One report with its content as JSON (XML in its JSON form)',
    fallback: 'Failed to retrieve file',
    params: IdParams,
    reply: { 200: null },
  },
  raw: {
    method: 'GET',
    path: '/api/reports/files/:id/raw',
    access: 'viewer',
    summary: 'The original bytes of a report',
    fallback: 'Failed to retrieve file',
    params: IdParams,
    reply: { 200: null },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/api/reports/files/:id',
    access: 'analyst',
    summary: 'Delete a report and what only it asserted',
    fallback: 'Failed to delete file',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteFiles: {
    method: 'DELETE',
    path: '/api/reports/files/bulk',
    access: 'analyst',
    summary:
      'Delete these reports or all that match, and what only they asserted; more than 500 that match as a job',
    fallback: 'Failed to delete files',
    body: reportFileList.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  vulnerabilityCount: {
    method: 'GET',
    path: '/api/reports/files/:id/vulnerabilities/count',
    access: 'viewer',
    summary: 'Extracted vulnerabilities that the report asserts',
    fallback: 'Failed to count vulnerabilities',
    params: IdParams,
    reply: { 200: CountReply },
  },
  threatCount: {
    method: 'GET',
    path: '/api/reports/files/:id/threats/count',
    access: 'viewer',
    summary: 'Extracted threats that the report asserts',
    fallback: 'Failed to count threats',
    params: IdParams,
    reply: { 200: CountReply },
  },
  importReport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report',
    access: 'viewer',
    summary: 'What became of every object of a report',
    params: IdParams,
    reply: { 200: ImportReport },
  },
  importObjects: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/objects',
    access: 'viewer',
    summary: 'The objects of a report that are no record, each with its place and reason',
    params: IdParams,
    query: importObjectList.query,
    reply: { 200: z.object({ items: z.array(ImportObject), ...listFields }) },
  },
  importFacets: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column of these objects under the other filters',
    params: IdParams,
    query: importObjectList.facetsQuery,
    reply: { 200: Facets },
  },
  importExport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/export',
    access: 'viewer',
    summary: 'The filtered list of these objects as CSV or JSON, streamed',
    params: IdParams,
    query: importObjectList.exportQuery,
    reply: { 200: null },
  },
  extractVulnerability: {
    method: 'POST',
    path: '/api/reports/extract-vulnerability',
    access: 'analyst',
    summary: 'Extract the vulnerabilities of a report; `Prefer: wait=N` answers with the result',
    fallback: 'Failed to request extraction',
    body: Extract,
    reply: { 200: Extracted, 202: Accepted },
  },
  extractThreat: {
    method: 'POST',
    path: '/api/reports/extract-threat',
    access: 'analyst',
    summary: 'Extract the threats of a report; `Prefer: wait=N` answers with the result',
    fallback: 'Failed to request threat extraction',
    body: Extract,
    reply: { 200: Extracted, 202: Accepted },
  },
  extractBoth: {
    method: 'POST',
    path: '/api/reports/extract',
    access: 'analyst',
    summary: 'Extract vulnerabilities and threats of a report in one job',
    fallback: 'Failed to request extraction',
    body: z.object({ id: Id, kinds: z.array(ExtractKind).min(1).default(['vulnerabilities', 'threats']) }),
    reply: { 200: Extracted, 202: Accepted },
  },
  overview: {
    method: 'GET',
    path: '/api/reports/overview',
    access: 'viewer',
    summary: 'Counts over all reports of the organisation',
    reply: {
      200: z.object({
        files: z.int(),
        bytes: z.int(),
        byVersion: z.record(z.string(), z.int()),
        vulnerabilities: z.int(),
        threats: z.int(),
        lastUploadAt: Time.nullable(),
        jobs: z.object({ queued: z.int(), running: z.int(), failed: z.int() }),
      }),
    },
  },
});
