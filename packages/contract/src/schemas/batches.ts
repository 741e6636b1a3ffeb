import type { SchemaTable } from '../endpoint.ts';
import {
  attemptOutcomes,
  batchFileList,
  batchFileStates,
  batchReportStates,
  batchStatuses,
  batchSteps,
} from '../batches.ts';
import { Id, IdParams, OptionalName, pageFields, Time } from './common.ts';
import { Exported, Facets, listFields, listSchemas, pageQuery } from './list.ts';
import { z } from 'zod';

/** Many uploaded files as one object. Counts of records are those of the extractions of its files. */
export const Batch = z
  .object({
    _id: Id,
    name: z.string(),
    status: z.enum(batchStatuses),
    files: z.int().describe('Received files; one name counts once.'),
    bytes: z.int(),
    planned: z
      .object({ files: z.int(), bytes: z.int() })
      .nullable()
      .describe('Files and bytes that the client announced; null when it did not.'),
    states: z.object(
      Object.fromEntries(batchFileStates.map((state) => [state, z.int()])) as Record<
        (typeof batchFileStates)[number],
        z.ZodInt
      >,
    ),
    retriable: z
      .int()
      .describe('Failed files that can be run again: not those that were refused, replaced or deleted.'),
    issues: z.int().describe('Objects that could not be read, warnings, and skipped records of all files.'),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    createdAt: Time,
    createdBy: Id.nullable(),
    startedAt: Time.nullable(),
    finishedAt: Time.nullable().describe('Null until every expected file has ended.'),
    /**
     * Time in which at least one of its files was read or extracted, without breaks such as that before a retry. Only in the
     * reply about one batch that is over, and of at most 5,000 files.
     */
    processingSeconds: z.number().optional(),
    pausedAt: Time.nullable(),
    /**
     * Null while more files are expected; files that were announced and not sent by then are not. A file that arrives later
     * opens the batch again.
     */
    closedAt: Time.nullable(),
    lastReceivedAt: Time.nullable().describe(
      'Arrival of the newest file, or of the newest bytes of one that is being received for some time.',
    ),
    uploading: z
      .boolean()
      .describe(
        'Whether files are expected, and one or a part of it has arrived within the last two minutes, or the batch was created then.',
      ),
    cancelledAt: Time.nullable(),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof Batch>;

/** A run of one step of a file. */
const BatchAttempt = z.object({
  step: z.enum(batchSteps),
  attempt: z.int(),
  startedAt: Time,
  endedAt: Time.nullable(),
  outcome: z.enum(attemptOutcomes).nullable().describe('Null while it runs.'),
  message: z.string().nullable(),
});
export type BatchAttempt = z.infer<typeof BatchAttempt>;

/** One file of a batch with its times. */
export const BatchFile = z
  .object({
    _id: Id,
    name: z.string(),
    size: z.int(),
    state: z.enum(batchFileStates),
    held: z.boolean().describe('Whether it waits for the batch to be resumed.'),
    issues: z.int(),
    objects: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    message: z.string().nullable().describe('Why it failed.'),
    fileId: Id.nullable().describe('Null for a file that was refused.'),
    report: z.enum(batchReportStates),
    receivedAt: Time,
    startedAt: Time.nullable(),
    readAt: Time.nullable().describe('End of reading.'),
    extractStartedAt: Time.nullable(),
    endedAt: Time.nullable(),
    heartbeatAt: Time.nullable().describe('Last update of the running job.'),
    attempts: z.array(BatchAttempt).max(50).describe('In the order of their starts, at most the newest 50.'),
  })
  .meta({ id: 'BatchFile' });
export type BatchFile = z.infer<typeof BatchFile>;

export const batchFileListSchemas = listSchemas(batchFileList);

/** Limits that no client exceeds by accident. */
const most = { files: 1_000_000, bytes: 2 ** 50 };

export const batchSchemas = {
  list: {
    summary: 'Batches, newest first, without those that ended empty',
    query: z.strictObject(pageQuery),
    reply: { 200: z.object({ batches: z.array(Batch), ...pageFields }) },
  },
  create: {
    summary: 'Create a batch; `POST /api/reports/upload?batch={id}` adds files to it',
    body: z.object({
      name: OptionalName.max(200).optional(),
      files: z
        .int()
        .min(0)
        .max(most.files)
        .optional()
        .describe(
          'Expected files and bytes: the batch is not finished before that many files were received.',
        ),
      bytes: z.int().min(0).max(most.bytes).optional(),
    }),
    reply: { 201: Batch },
  },
  estimate: {
    summary: 'How long that many files will take, from the rate of the last files',
    query: z.strictObject({
      files: z.coerce.number().int().min(1).max(most.files).describe('Number of files.'),
      bytes: z.coerce.number().int().min(0).max(most.bytes).describe('Size of all files together.'),
    }),
    reply: {
      200: z.object({
        seconds: z.number().nullable().describe('Null without earlier files.'),
        basedOn: z.int().describe('Number of earlier files that it is based on.'),
      }),
    },
  },
  get: { summary: 'One batch with its totals', params: IdParams, reply: { 200: Batch } },
  close: {
    summary: 'Expect no more files: the batch ends with those that were received',
    params: IdParams,
    reply: { 200: Batch },
  },
  retry: {
    summary: 'Run the failed files again; refused, replaced and deleted files are left out',
    params: IdParams,
    reply: { 200: z.object({ batch: Batch, retried: z.int() }) },
  },
  cancel: {
    summary: 'Cancel every file that has not ended, and refuse further files',
    params: IdParams,
    reply: { 200: Batch },
  },
  pause: {
    summary: 'Start no more jobs of the batch; running ones end',
    params: IdParams,
    reply: { 200: Batch },
  },
  resume: { summary: 'Start the jobs of a paused batch', params: IdParams, reply: { 200: Batch } },
  report: {
    summary: 'The report over all files of a batch as HTML that prints to pages, streamed',
    params: IdParams,
    reply: { 200: { 'text/html': z.string() } },
  },
  files: {
    summary: 'Files of a batch with their results, times and attempts',
    params: IdParams,
    query: batchFileListSchemas.query,
    reply: { 200: z.object({ files: z.array(BatchFile), ...listFields }) },
  },
  filesFacets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    params: IdParams,
    query: batchFileListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  filesExport: {
    summary: 'The report over all files of a batch as CSV or JSON, streamed',
    params: IdParams,
    query: batchFileListSchemas.exportQuery,
    reply: { 200: Exported },
  },
} satisfies SchemaTable;
