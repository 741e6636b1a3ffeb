import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { Id, listQuery, pageFields, Time } from './common.ts';

/** A vulnerability as the lists show it. Severity, CVSS and CWSS are empty when nothing said them, never invented. */
export const Vulnerability = z
  .object({
    _id: Id,
    name: z.string(),
    description: z.string(),
    /** 0-10. */
    severity: z.number().nullable(),
    status: z.string(),
    cveId: z.string(),
    cwe: z.array(z.string()),
    /** 0-10, step 0.1. */
    cvssScore: z.number().nullable(),
    cvssVector: z.string(),
    /** 0-100. */
    cwssScore: z.number().nullable(),
    sourceFile: z.string(),
    appliedVignette: z.string(),
    /** Set when the report that gave it has revoked or deprecated it. */
    withdrawn: z.enum(['revoked', 'deprecated']).nullable(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Vulnerability' });
export type Vulnerability = z.infer<typeof Vulnerability>;

export const vulnerabilities = endpoints({
  list: {
    method: 'GET',
    path: '/api/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities of the organisation',
    query: listQuery(
      [
        'name',
        'severity',
        'status',
        'cveId',
        'cvssScore',
        'cwssScore',
        'sourceFile',
        'createdAt',
        'updatedAt',
      ],
      '-createdAt',
    ).extend({ fileId: Id.optional() }),
    reply: { 200: z.object({ vulnerabilities: z.array(Vulnerability), ...pageFields }) },
  },
  fromReports: {
    method: 'GET',
    path: '/api/reports/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities that a report asserts',
    query: listQuery(['name', 'cveId', 'cvssScore', 'sourceFile', 'createdAt'], '-createdAt').extend({
      fileId: Id.optional(),
    }),
    reply: { 200: z.object({ items: z.array(Vulnerability), ...pageFields }) },
  },
});
