import type { SchemaTable } from '../endpoint.ts';
import { importActions, importKeys, importLimits, importNouns, importStates } from '../imports.ts';
import { Accepted, Deleted, Id, IdParams, pageFields, Time } from './common.ts';
import { ImportCounts, UndoCounts } from './jobs.ts';
import { pageQuery } from './list.ts';
import { z } from 'zod';

const Noun = z.enum(importNouns);
const keys = [...new Set(Object.values(importKeys).flat())] as [string, ...string[]];
const Key = z.enum(keys as [(typeof importKeys)['vulnerabilities'][number], ...string[]]);

/** The field of each column; null: the column is not imported. */
const Mapping = z
  .array(
    z.object({
      column: z
        .int()
        .min(0)
        .max(importLimits.columns - 1),
      field: z.string().max(60).nullable(),
    }),
  )
  .max(importLimits.columns);
export type ImportMapping = z.infer<typeof Mapping>;

/** A CSV file and what was done with it. `counts` are those of its last dry run or import. */
export const CsvImport = z
  .object({
    _id: Id,
    noun: Noun,
    fileName: z.string(),
    bytes: z.int(),
    rows: z.int().describe('Rows below the header.'),
    columns: z.array(
      z.object({
        index: z.int(),
        header: z.string(),
        field: z.string().nullable().describe('The automatic match.'),
        samples: z
          .array(z.string())
          .max(importLimits.samples)
          .describe('The first different texts of the column.'),
        filled: z.boolean().optional().describe('Whether each of the first rows has a text in the column.'),
      }),
    ),
    /** The choices of the last dry run or import. */
    mapping: Mapping.nullable(),
    key: z.string().nullable(),
    projectId: Id.nullable(),
    state: z.enum(importStates),
    counts: ImportCounts.nullable(),
    /** What the undo did; null before it. */
    undo: UndoCounts.nullable(),
    jobId: Id.nullable(),
    error: z.string().nullable().describe('Why the last job failed.'),
    createdAt: Time,
    createdBy: z.string().describe('Name of the person who uploaded it.'),
  })
  .meta({ id: 'CsvImport' });
export type CsvImport = z.infer<typeof CsvImport>;

/** How the rows of a file are read: which column is which field, and which field finds an existing record. */
const Plan = z.object({
  mapping: Mapping,
  key: Key,
  projectId: Id.optional().describe('Project of new assets, where no column names it.'),
});
export type ImportPlan = z.infer<typeof Plan>;

const PreviewRow = z.object({
  line: z.int(),
  action: z.enum(['create', 'update', 'unchanged', 'fail']),
  name: z.string(),
  cells: z.array(
    z.object({
      column: z.int(),
      field: z.string(),
      value: z.string().describe('The text of the cell as it is read.'),
      problem: z.string().optional(),
    }),
  ),
  problems: z.array(z.string()).describe('Problems of the row that are not in a cell.'),
});
export type ImportPreviewRow = z.infer<typeof PreviewRow>;

const ImportAction = z.enum(importActions);

export const ImportRow = z.object({
  line: z.int(),
  action: ImportAction,
  recordId: Id.nullable().describe('The record that was created, updated or left as it was.'),
  name: z.string(),
  field: z.string().nullable().describe('The field of the cell with the problem.'),
  problem: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const importSchemas = {
  upload: {
    summary: 'Upload a CSV file of assets or vulnerabilities; nothing is imported yet',
    query: z.strictObject({ noun: Noun.describe('The records that the file has.') }),
    reply: { 201: CsvImport },
  },
  list: {
    summary: 'CSV imports of the last 30 days, newest first',
    query: z.strictObject({ noun: Noun.optional().describe('Only imports of these records.'), ...pageQuery }),
    reply: { 200: z.object({ imports: z.array(CsvImport), ...pageFields }) },
  },
  template: {
    summary: 'A CSV file with the header row and two example rows',
    query: z.strictObject({ noun: Noun.describe('The records that the file has.') }),
    reply: { 200: { 'text/csv': z.string() } },
  },
  get: { summary: 'One CSV import', params: IdParams, reply: { 200: CsvImport } },
  preview: {
    summary: 'What would become of the first 20 rows, with each problem at its cell; writes nothing',
    params: IdParams,
    body: Plan,
    reply: { 200: z.object({ rows: z.array(PreviewRow) }) },
  },
  check: {
    summary: 'Dry run as a job: counts and a report of all rows; `Prefer: wait=N` answers with the counts',
    params: IdParams,
    body: Plan,
    reply: { 200: z.object({ result: ImportCounts, message: z.string() }), 202: Accepted },
  },
  start: {
    summary: 'Import the rows as a job, all in one transaction; rows with a problem are left out',
    params: IdParams,
    body: Plan,
    reply: { 200: z.object({ result: ImportCounts, message: z.string() }), 202: Accepted },
  },
  rows: {
    summary: 'Report of the last dry run or import, row by row in the order of the file',
    params: IdParams,
    query: z.strictObject({
      action: ImportAction.optional().describe('Only rows with this outcome.'),
      ...pageQuery,
    }),
    reply: { 200: z.object({ rows: z.array(ImportRow), ...pageFields }) },
  },
  rowsExport: {
    summary: 'The report as CSV, streamed',
    params: IdParams,
    query: z.strictObject({ action: ImportAction.optional().describe('Only rows with this outcome.') }),
    reply: { 200: { 'text/csv': z.string() } },
  },
  undo: {
    summary:
      'Undo an import as a job: created records go to the trash, updated fields get their former values; what was changed since is kept',
    params: IdParams,
    reply: { 200: z.object({ result: UndoCounts, message: z.string() }), 202: Accepted },
  },
  delete: {
    summary: 'Delete the stored file and its report; the records stay',
    params: IdParams,
    reply: { 200: Deleted },
  },
} satisfies SchemaTable;
