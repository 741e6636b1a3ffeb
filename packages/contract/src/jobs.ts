import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { Accepted, Id, IdParams, listQuery, pageFields, Time } from './common.ts';

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

/** Result of `records.delete` and `records.update`: matched = done + unchanged, always. */
export const RecordsResult = z.object({ matched: z.int(), changed: z.int(), unchanged: z.int() });
export type RecordsResult = z.infer<typeof RecordsResult>;

/** Lists whose rows a bulk job works on, by ids or by the filter of the list's own query. */
export const bulkNouns = ['vulnerabilities', 'threats'] as const;
const BulkSelection = z.object({
  noun: z.enum(bulkNouns),
  ids: z.array(Id).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
});

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
    payload: BulkSelection,
    result: RecordsResult,
    tries: 3,
    backoffMs: 1000,
  },
  'records.update': {
    payload: BulkSelection.extend({ change: z.record(z.string(), z.unknown()) }),
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

export const jobs = endpoints({
  list: {
    method: 'GET',
    path: '/api/jobs',
    access: 'viewer',
    summary: 'Background jobs, newest first',
    query: listQuery(['createdAt', 'finishedAt', 'kind', 'state'], '-createdAt').extend({
      state: z.union([JobState, z.array(JobState)]).optional(),
      kind: z.union([JobKind, z.array(JobKind)]).optional(),
      fileId: Id.optional(),
    }),
    reply: { 200: z.object({ jobs: z.array(Job), ...pageFields }) },
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
