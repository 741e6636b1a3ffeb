import { reportIntervals, reportTables } from '../risk-report.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Id, Time } from './common.ts';
import { z } from 'zod';

/** Absent: of the whole organization. */
const subject = z.strictObject({ projectId: Id.optional() });

const Schedule = z.object({
  /** Null: the whole organization. */
  projectId: Id.nullable(),
  projectName: z.string().nullable(),
  every: z.enum(reportIntervals),
  /** Null when it is never mailed. */
  nextAt: Time.nullable(),
});
export type ReportSchedule = z.infer<typeof Schedule>;

export const riskReportSchemas = {
  html: {
    summary: 'The risk report of the organization or of a project as HTML that prints to pages',
    query: subject,
    reply: { 200: { 'text/html': z.string() } },
  },
  table: {
    summary: 'A table of the risk report as CSV',
    query: subject.extend({ table: z.enum(reportTables) }),
    reply: { 200: { 'text/csv': z.string() } },
  },
  schedules: {
    summary: 'When the caller is mailed that a risk report is due',
    reply: {
      200: z.object({
        schedules: z.array(Schedule),
        /** Whether the operator has set up a mail server. */
        mail: z.boolean(),
      }),
    },
  },
  schedule: {
    summary: 'Mail the caller every week or month that a risk report is due, or never',
    body: z.object({ projectId: Id.nullable(), every: z.enum(reportIntervals) }),
    reply: { 200: Schedule },
  },
} satisfies SchemaTable;
