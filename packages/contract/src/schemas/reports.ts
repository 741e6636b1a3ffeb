import type { SchemaTable } from '../endpoint.ts';
import { importObjectList, outcomes, reportFileList } from '../reports.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { ExtractKind, ExtractResult, JobState, RemovedRecords } from './jobs.ts';
import { Exported, Facets, listFields, listSchemas, many, timeBounds } from './list.ts';
import { z } from 'zod';

/** A warning of the parse, with the number of its occurrences and the location of the first one. */
export const ReportWarning = z.object({
  code: z.string(),
  message: z.string(),
  location: z.string().optional(),
  count: z.int(),
});
export type ReportWarning = z.infer<typeof ReportWarning>;

/** An uploaded report. `size` in bytes. Counts are null until the parse has finished. */
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
    vulnerabilityCount: z.int().describe('Extracted records that the file asserts.'),
    threatCount: z.int(),
    vulnerabilityRecords: z.int().nullable().describe('Records found by the parse, extracted or not.'),
    threatRecords: z.int().nullable(),
    objects: z
      .record(z.string(), z.int())
      .nullable()
      .describe('Objects by type. In lists, `…` counts those of all but the 100 most frequent types.'),
    warnings: z.array(ReportWarning),
    issues: z
      .int()
      .describe('Objects that could not be read, warnings, and records that the newest extraction skipped.'),
    incomplete: z.boolean().describe('A TAXII page that says more pages follow.'),
  })
  .meta({ id: 'ReportFile' });
export type ReportFile = z.infer<typeof ReportFile>;

/** The content is the JSON of the report, or its text when it could not be read. */
const FileWithContent = ReportFile.extend({ content: z.unknown() }).meta({ id: 'FileWithContent' });

export const reportFileListSchemas = listSchemas(reportFileList, {
  name: many(z.string()).describe('Reports with one of these names, in any case.'),
  createdAtMin: timeBounds.from.describe('As `uploadDateMin`.'),
  createdAtMax: timeBounds.to.describe('As `uploadDateMax`.'),
});

export const Outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof Outcome>;

export const ImportObject = z.object({
  ordinal: z.int(),
  location: z.string(),
  type: z.string(),
  stixId: z.string().nullable(),
  outcome: Outcome,
  reason: z.string(),
});
export type ImportObject = z.infer<typeof ImportObject>;

export const importObjectListSchemas = listSchemas(importObjectList);

/**
 * Counts of all objects and records of a file: `objects` = mapped + unmapped + failed + superseded; `records` = active
 * + revoked + deprecated. An object that the file withdraws also counts where another one keeps its record active.
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
  /** By object type: their number and their outcomes. */
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
  /** By the last reading of the file; absent when none were removed. */
  removed: RemovedRecords.optional(),
});
export type ImportReport = z.infer<typeof ImportReport>;

const CountReply = z.object({ count: z.int() });

const Extract = z.object({ id: Id });

const Extracted = z.object({ result: ExtractResult, message: z.string() });

export const reportSchemas = {
  upload: {
    summary: 'Upload a STIX or TAXII report (.json, .xml); a file of the same name is replaced',
    query: z.strictObject({
      extract: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .transform((value = []) => [value].flat().flatMap((one) => (one === '' ? [] : one.split(','))))
        .pipe(z.array(ExtractKind))
        .describe(
          `What is extracted once the file has been read: ${ExtractKind.options.map((kind) => `\`${kind}\``).join(', ')}, separated by commas or repeated. Absent: nothing.`,
        ),
      batch: Id.optional().describe('Puts the file into a batch.'),
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
    summary: 'All uploaded reports; search runs over name, size and counts',
    query: reportFileListSchemas.query,
    reply: { 200: z.object({ files: z.array(ReportFile), ...listFields }) },
  },
  fileFacets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: reportFileListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  fileExport: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: reportFileListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  file: {
    summary: 'One report with its content as JSON (XML in its JSON form)',
    params: IdParams,
    reply: { 200: { 'application/json': FileWithContent } },
  },
  raw: {
    summary: 'The original bytes of a report',
    params: IdParams,
    reply: { 200: { 'application/octet-stream': z.string().meta({ format: 'binary' }) } },
  },
  deleteFile: {
    summary:
      'Delete a report and the records that no other report asserts; one of more than 100,000 objects as a job',
    params: IdParams,
    reply: { 200: Deleted, 202: Accepted },
  },
  deleteFiles: {
    summary:
      'Delete these reports or all that match, and what only they asserted; more than 100 reports, or more than 100,000 objects, as a job',
    body: reportFileListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  vulnerabilityCount: {
    summary: 'Extracted vulnerabilities that the report asserts',
    params: IdParams,
    reply: { 200: CountReply },
  },
  threatCount: {
    summary: 'Extracted threats that the report asserts',
    params: IdParams,
    reply: { 200: CountReply },
  },
  importReport: {
    summary: 'Outcome of every object of a report',
    params: IdParams,
    reply: { 200: ImportReport },
  },
  importObjects: {
    summary: 'Objects of a report that did not become records, each with its location and reason',
    params: IdParams,
    query: importObjectListSchemas.query,
    reply: { 200: z.object({ items: z.array(ImportObject), ...listFields }) },
  },
  importFacets: {
    summary: 'Distinct values and counts of each filterable column of these objects under the other filters',
    params: IdParams,
    query: importObjectListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  importExport: {
    summary: 'The filtered list of these objects as CSV or JSON, streamed',
    params: IdParams,
    query: importObjectListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  extractVulnerability: {
    summary: 'Extract the vulnerabilities of a report; `Prefer: wait=N` answers with the result',
    body: Extract,
    reply: { 200: Extracted, 202: Accepted },
  },
  extractThreat: {
    summary: 'Extract the threats of a report; `Prefer: wait=N` answers with the result',
    body: Extract,
    reply: { 200: Extracted, 202: Accepted },
  },
  extractBoth: {
    summary: 'Extract vulnerabilities and threats of a report in one job',
    body: z.object({ id: Id, kinds: z.array(ExtractKind).min(1).default(['vulnerabilities', 'threats']) }),
    reply: { 200: Extracted, 202: Accepted },
  },
  overview: {
    summary: 'Counts over all reports of the organization',
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
} satisfies SchemaTable;
