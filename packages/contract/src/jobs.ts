import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { Accepted, Id, IdParams, Time } from './common.ts';
import { defineList, Facets, listFields } from './list.ts';

/** What an extraction is asked to take out of a report. */
export const ExtractKind = z.enum(['vulnerabilities', 'threats']);
export type ExtractKind = z.infer<typeof ExtractKind>;

/** Result of `stix.parse`: objects = mapped + unmapped + failed, always. */
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
});
export type ParseResult = z.infer<typeof ParseResult>;

/** One object or record that an extraction did not take, and why. */
export const ExtractIssue = z.object({
  place: z.string(),
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

/**
 * Result of `records.delete` and `records.update`: matched = changed + unchanged, always. `skipped`: rows that were
 * asked for and are not among them, with the reason; absent of jobs that ran before it was told.
 */
export const RecordsResult = z.object({
  matched: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
});
export type RecordsResult = z.infer<typeof RecordsResult>;

/** Lists whose rows a bulk job works on, by ids or by the filter of the list's own query. */
const recordNouns = ['vulnerabilities', 'threats'] as const;
export const bulkNouns = [...recordNouns, 'assets', 'projects', 'reports'] as const;
const selection = {
  ids: z.array(Id).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
};

/** Result of `organization.delete`; its row goes with the organisation, so that nobody ever reads it. */
export const OrganizationDeleteResult = z.object({ deleted: z.int() });

/**
 * Every kind of background work. `payload` is what the row needs beside its file: ids and scalars only.
 * `tries`: how often a job may run before it is given up; backoff doubles from `backoffMs`.
 */
export const jobKinds = {
  'stix.parse': {
    payload: z.object({ fileId: Id, contentId: Id }),
    result: ParseResult,
    tries: 3,
    backoffMs: 1000,
  },
  'stix.extract': {
    payload: z.object({ fileId: Id, kinds: z.array(ExtractKind).min(1) }),
    result: ExtractResult,
    tries: 3,
    backoffMs: 1000,
  },
  'records.delete': {
    payload: z.object({ noun: z.enum(bulkNouns), ...selection }),
    result: RecordsResult,
    tries: 3,
    backoffMs: 1000,
  },
  'records.update': {
    payload: z.object({
      noun: z.enum(recordNouns),
      ...selection,
      /** Columns by name, and the assets that are tied and untied. */
      change: z.object({
        columns: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
        addAssets: z.array(Id),
        removeAssets: z.array(Id),
      }),
    }),
    result: RecordsResult,
    tries: 3,
    backoffMs: 1000,
  },
  'organization.delete': {
    payload: z.object({}),
    result: OrganizationDeleteResult,
    tries: 10,
    backoffMs: 1000,
  },
} as const satisfies Record<
  string,
  { payload: z.ZodType; result: z.ZodType; tries: number; backoffMs: number }
>;

export type JobKind = keyof typeof jobKinds;
export const JobKind = z.enum(Object.keys(jobKinds) as [JobKind, ...JobKind[]]);
export type JobPayload<K extends JobKind> = z.infer<(typeof jobKinds)[K]['payload']>;
export type JobResult<K extends JobKind> = z.infer<(typeof jobKinds)[K]['result']>;

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const JobState = z.enum(jobStates);
export type JobState = z.infer<typeof JobState>;

/** `done` and `total` in units of the phase (bytes while reading, records while saving); total 0: unknown. */
export const JobProgress = z.object({ phase: z.string(), done: z.number(), total: z.number() });
export type JobProgress = z.infer<typeof JobProgress>;

export const Job = z
  .object({
    _id: Id,
    kind: JobKind,
    state: JobState,
    progress: JobProgress,
    fileId: Id.nullable(),
    fileName: z.string().nullable(),
    vulnerabilityId: Id.nullable(),
    result: z.union([ParseResult, ExtractResult, RecordsResult, OrganizationDeleteResult]).nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    attempt: z.int(),
    version: z.int(),
    createdAt: Time,
    startedAt: Time.nullable(),
    finishedAt: Time.nullable(),
    createdBy: Id.nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

export const jobList = defineList(
  {
    /** The file that it works on; empty for work on records, and once the file is deleted. */
    fileName: { label: 'File', kind: 'text' },
    kind: { label: 'Job', kind: 'choice', values: JobKind.options },
    state: { label: 'State', kind: 'choice', values: jobStates },
    result: { label: 'Result', kind: 'text', sortable: false },
    error: { label: 'Error', kind: 'text', sortable: false },
    /** Seconds of the last run; empty until it has ended. */
    took: { label: 'Took (seconds)', kind: 'number' },
    /** How often it was started. */
    attempt: { label: 'Attempts', kind: 'number' },
    createdAt: { label: 'Asked for', kind: 'time' },
    startedAt: { label: 'Started', kind: 'time' },
    finishedAt: { label: 'Ended', kind: 'time' },
  },
  { standard: '-createdAt', extra: { fileId: Id } },
);

export const jobs = endpoints({
  list: {
    method: 'GET',
    path: '/api/jobs',
    access: 'viewer',
    summary: 'Background jobs, newest first; search runs over file name and error',
    query: jobList.query,
    reply: { 200: z.object({ jobs: z.array(Job), ...listFields }) },
  },
  facets: {
    method: 'GET',
    path: '/api/jobs/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: jobList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/jobs/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: jobList.exportQuery,
    reply: { 200: null },
  },
  get: {
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'viewer',
    summary: 'One job with its progress and result',
    params: IdParams,
    reply: { 200: Job },
  },
  cancel: {
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    access: 'analyst',
    summary: 'Cancel a queued or running job; nothing half-done stays',
    params: IdParams,
    reply: { 200: Job },
  },
  retry: {
    method: 'POST',
    path: '/api/jobs/:id/retry',
    access: 'analyst',
    summary: 'Run a failed or cancelled job again',
    params: IdParams,
    reply: { 202: Accepted },
  },
});
