import { reportIntervals, reportTables } from '../risk-report.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Id, Time } from './common.ts';
import { z } from 'zod';

/** Absent: of the whole organization. */
const subject = z.strictObject({ projectId: Id.optional().describe('Absent: the whole organization.') });

const Schedule = z.object({
  projectId: Id.nullable().describe('Null: the whole organization.'),
  projectName: z.string().nullable(),
  every: z.enum(reportIntervals),
  nextAt: Time.nullable().describe('Null when it is never mailed.'),
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
    query: subject.extend({ table: z.enum(reportTables).describe('The table of the report.') }),
    reply: { 200: { 'text/csv': z.string() } },
  },
  schedules: {
    summary: 'When the caller is mailed that a risk report is due',
    reply: {
      200: z.object({
        schedules: z.array(Schedule),
        mail: z.boolean().describe('Whether the operator has set up a mail server.'),
      }),
    },
  },
  schedule: {
    summary: 'Mail the caller every week or month that a risk report is due, or never',
    body: z.object({ projectId: Id.nullable(), every: z.enum(reportIntervals) }),
    reply: { 200: Schedule },
  },
} satisfies SchemaTable;
