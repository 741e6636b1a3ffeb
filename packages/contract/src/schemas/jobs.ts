import type { SchemaTable } from '../endpoint.ts';
import {
  bulkNouns,
  extractKinds,
  type JobKind,
  jobKinds,
  jobList,
  jobStates,
  restorableNouns,
  updateNouns,
} from '../jobs.ts';
import { Accepted, Id, IdParams, Time } from './common.ts';
import { Exported, Facets, listFields, listSchemas } from './list.ts';
import { Restored } from './records.ts';
import { z } from 'zod';

/** Kinds of records that an extraction reads from a report. */
export const ExtractKind = z.enum(extractKinds);
export type ExtractKind = z.infer<typeof ExtractKind>;

/** Result of `stix.parse`: objects = mapped + unmapped + failed, always. */
/** Records that a new version of a report no longer contains and that were deleted with it, by kind. */
export const RemovedRecords = z.object({ vulnerability: z.int(), threat: z.int() });
export type RemovedRecords = z.infer<typeof RemovedRecords>;

export const ParseResult = z.object({
  stixVersion: z.string().nullable(),
  wrapper: z.string(),
  objects: z.int(),
  mapped: z.int(),
  unmapped: z.int(),
  failed: z.int(),
  vulnerabilityRecords: z.int(),
  threatRecords: z.int(),
  revoked: z.int(),
  deprecated: z.int(),
  superseded: z.int(),
  warnings: z.int(),
  /** Absent when none were removed. */
  removed: RemovedRecords.optional(),
});
export type ParseResult = z.infer<typeof ParseResult>;

/** One object or record that an extraction skipped, with the reason. */
export const ExtractIssue = z.object({
  location: z.string(),
  type: z.string(),
  stixId: z.string().nullable(),
  outcome: z.string(),
  reason: z.string(),
});

/** Result of `stix.extract`: records = created + updated + unchanged + skipped, always. */
export const ExtractResult = z.object({
  kinds: z.array(ExtractKind),
  records: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  byKind: z.partialRecord(
    ExtractKind,
    z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), skipped: z.int() }),
  ),
  createdIds: z.array(Id).max(1000),
  issues: z.array(ExtractIssue).max(200),
});
export type ExtractResult = z.infer<typeof ExtractResult>;

/** The same as part of a job. Lists and events leave out the ids and issues, hundreds of kilobytes of each job. */
const ExtractCounts = ExtractResult.partial({ createdIds: true, issues: true });
export type ExtractCounts = z.infer<typeof ExtractCounts>;

/**
 * Result of `records.delete`, `records.restore` and `records.update`: matched = changed + unchanged, always. `skipped`: rows that were
 * requested and are not among them, with the reason; absent in results of older versions.
 */
export const RecordsResult = z.object({
  matched: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
  restorable: z
    .enum(restorableNouns)
    .optional()
    .describe(
      'Of a deletion that can be undone, and of a restoration: the list of the rows; absent in results of older versions.',
    ),
  deletedAt: Time.optional().describe(
    'Of a deletion that can be undone: the time of its rows in the trash, in microseconds.',
  ),
  restoration: z
    .object({ count: z.int(), isComplete: z.boolean() })
    .optional()
    .describe(
      'Of a deletion that was undone: rows that were restored since, and whether none is left that can be.',
    ),
});
export type RecordsResult = z.infer<typeof RecordsResult>;

/** The same, of rows that can be restored or were restored. */
const RestorableResult = RecordsResult.required({ restorable: true });

const selection = {
  ids: z.array(Id).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  /**
   * Of a filter: start times of the transactions that were running at the request. Rows that these create are not part of
   * it. Absent in jobs of older versions.
   */
  runningTransactions: z.array(z.string()).optional(),
};

/** Result of `organization.delete`; deleted together with the organization. */
export const OrganizationDeleteResult = z.object({ deleted: z.int() });

/** Result of `csv.check` and `csv.import`: rows = created + updated + unchanged + failed, always. */
export const ImportCounts = z.object({
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  sharedCve: z
    .int()
    .optional()
    .describe('Of a dry run: rows that would create a vulnerability with the CVE of another one.'),
  fixDateUnfixed: z
    .int()
    .optional()
    .describe('Of a dry run: rows with a fix date whose vulnerability would not be fixed.'),
});
export type ImportCounts = z.infer<typeof ImportCounts>;

/**
 * Result of `csv.undo`: records = deleted + restored + kept, always. `deleted`: created records, now in the trash.
 * `restored`: updated records with all their former values. `kept`: records that someone changed, related or deleted since.
 */
export const UndoCounts = z.object({
  records: z.int(),
  deleted: z.int(),
  restored: z.int(),
  kept: z.int(),
});
export type UndoCounts = z.infer<typeof UndoCounts>;

/**
 * Result of `cwss.calculate`: matched = changed + unchanged + skipped rows that were selected, always. `changed`: a new
 * score was stored. `unchanged`: the newest score has the same inputs and result.
 */
export const CwssCounts = z.object({
  matched: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
  cwssScore: z.number().optional().describe('The score of a calculation of one vulnerability.'),
});
export type CwssCounts = z.infer<typeof CwssCounts>;

/** Result of `cwe.refresh`: 0 entries when the catalogue was current. */
export const RefreshResult = z.object({
  version: z.string().describe('The version that the organization uses now.'),
  previousVersion: z.string(),
  entries: z
    .int()
    .describe('Entries of the catalogue that the organization uses now; 0 when it used this version before.'),
});
export type RefreshResult = z.infer<typeof RefreshResult>;

/** Result of `alerts.evaluate`: alerts that it created, and the findings in them. */
const EvaluateResult = z.object({ alerts: z.int(), findings: z.int() });

/** Result of `webhook.deliver`, one attempt: 1 when it was delivered. `next`: the attempt after a failed one. */
const DeliverResult = z.object({
  delivered: z.int(),
  statusCode: z.int().nullable(),
  next: z.string().nullable(),
});
/** Result of `metrics.recompute`. */
export const RecomputeResult = z.object({
  checked: z.int().describe('Numbers that were compared with a recount.'),
  repaired: z.int().describe('Numbers that differed.'),
  /** The first of them, with what was added to count and sum. */
  differences: z
    .array(z.object({ measure: z.string(), bucket: z.string(), count: z.int(), sum: z.number() }))
    .max(100),
  recounted: z.int().describe('Vulnerabilities whose counts of related assets were wrong.'),
  snapshots: z.int(),
});
export type RecomputeResult = z.infer<typeof RecomputeResult>;

const importPayload = z.object({ importId: Id });

/** Payload and result of each kind of job. A payload holds ids and scalars only; the file id is a column of the row. */
export const jobKindSchemas = {
  'stix.parse': { payload: z.object({ fileId: Id, contentId: Id }), result: ParseResult },
  'stix.extract': {
    payload: z.object({ fileId: Id, kinds: z.array(ExtractKind).min(1) }),
    result: ExtractResult,
  },
  // A union takes the first schema that fits: the results of the jobs on records are in the order in which none drops a
  // field of another one.
  'records.restore': {
    payload: z
      .object({ noun: z.enum(restorableNouns), deletionId: Id })
      .describe('The job whose deletion is undone.'),
    result: RestorableResult,
  },
  'cwss.calculate': {
    payload: z.object({
      vignetteId: Id.optional().describe('Absent: each vulnerability with the vignette of its newest score.'),
      ...selection,
      stale: z.boolean().optional().describe('All stale scores of the organization, without a selection.'),
    }),
    result: CwssCounts,
  },
  'records.delete': {
    payload: z.object({ noun: z.enum(bulkNouns), ...selection }),
    result: RecordsResult,
  },
  'records.update': {
    payload: z.object({
      noun: z.enum(updateNouns),
      ...selection,
      /** Columns by name, and the assets to relate and unrelate. */
      change: z.object({
        columns: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
        addAssets: z.array(Id),
        removeAssets: z.array(Id),
        /** Of assets: threats and vulnerabilities to relate and unrelate. */
        relations: z
          .object({
            add: z.object({ threats: z.array(Id), vulnerabilities: z.array(Id) }),
            remove: z.object({ threats: z.array(Id), vulnerabilities: z.array(Id) }),
          })
          .optional(),
      }),
    }),
    result: RecordsResult,
  },
  'csv.check': { payload: importPayload, result: ImportCounts },
  'csv.import': { payload: importPayload, result: ImportCounts },
  'csv.undo': { payload: importPayload, result: UndoCounts },
  'cwe.refresh': { payload: z.object({}), result: RefreshResult },
  'alerts.evaluate': { payload: z.object({}), result: EvaluateResult },
  'webhook.deliver': { payload: z.object({ deliveryId: Id }), result: DeliverResult },
  'metrics.recompute': { payload: z.object({}), result: RecomputeResult },
  'organization.delete': { payload: z.object({}), result: OrganizationDeleteResult },
} as const satisfies {
  [K in JobKind]: {
    payload: z.ZodType;
    result: z.ZodType<Readonly<Record<(typeof jobKinds)[K]['amount'], number>>>;
  };
};

export type JobPayload<K extends JobKind> = z.infer<(typeof jobKindSchemas)[K]['payload']>;
export type JobResult<K extends JobKind> = z.infer<(typeof jobKindSchemas)[K]['result']>;

const resultSchemas = new Set<z.ZodType<JobResult<JobKind>>>(
  Object.values(jobKindSchemas).map(({ result }) => result),
);

/** Result of a job of any kind. */
const AnyResult = z.union([...resultSchemas]);

/** The same as part of a job. */
const ShownResult = z.union(
  [...resultSchemas].map((result): z.ZodType<ShownResult> =>
    result === ExtractResult ? ExtractCounts : result,
  ),
);
type ShownResult = Exclude<JobResult<JobKind>, ExtractResult> | ExtractCounts;

export const JobState = z.enum(jobStates);
export type JobState = z.infer<typeof JobState>;

/** `done` and `total` in units of the phase (bytes while reading, records while saving); total 0: unknown. */
export const JobProgress = z.object({ phase: z.string(), done: z.number(), total: z.number() });
export type JobProgress = z.infer<typeof JobProgress>;

export const Job = z
  .object({
    _id: Id,
    kind: z.enum(Object.keys(jobKinds) as [JobKind, ...JobKind[]]),
    state: JobState,
    progress: JobProgress,
    fileId: Id.nullable(),
    fileName: z.string().nullable(),
    vulnerabilityId: Id.nullable(),
    importId: Id.optional().describe('The CSV import that it works on.'),
    batchId: Id.optional().describe('The batch that it belongs to.'),
    result: ShownResult.nullable().describe('Lists and events leave out `createdIds` and `issues`.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    attempt: z.int(),
    version: z.int(),
    createdAt: Time,
    startedAt: Time.nullable(),
    finishedAt: Time.nullable(),
    heartbeatAt: Time.nullable().describe('Last update of a run; null before the first start.'),
    createdBy: Id.nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

export const jobListSchemas = listSchemas(jobList, {
  fileId: Id.describe('Jobs of that report.'),
  alert: Id.describe('What that alert reported.'),
});

export const jobSchemas = {
  list: {
    summary: 'Background jobs, newest first; search runs over file name and error',
    query: jobListSchemas.query,
    reply: { 200: z.object({ jobs: z.array(Job), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: jobListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: jobListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  get: { summary: 'One job with its progress and result', params: IdParams, reply: { 200: Job } },
  cancel: {
    summary:
      'Cancel a queued or running job; partial work is rolled back. Jobs that only owners request: owners',
    params: IdParams,
    reply: { 200: Job },
  },
  retry: {
    summary: 'Run a failed or cancelled job again. Jobs that only owners request: owners',
    params: IdParams,
    reply: { 200: z.object({ result: AnyResult, message: z.string() }), 202: Accepted },
  },
  restore: {
    summary:
      'Restore the rows that a deletion moved to the trash, in a job; 200 without one when none is left there. They can be restored for 30 days',
    params: IdParams,
    reply: { 200: Restored, 202: Accepted },
  },
} satisfies SchemaTable;
