import type { SchemaTable } from '../endpoint.ts';
import { withdrawals } from '../records.ts';
import { vulnerabilityList } from '../vulnerabilities.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { Amount, Facets, Flag, listFields, listSchemas } from './list.ts';
import { BulkUpdated, Graph, RecordSources, Restore, Restored, Revert, importableFields } from './records.ts';
import { BulkVulnerabilityChange, NewVulnerability, VulnerabilityChange } from './vulnerability-input.ts';
import { z } from 'zod';

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
    cvssVersion: z.string(),
    /** 0-100. */
    cwssScore: z.number().nullable(),
    categoryId: z.int().nullable(),
    /** Its name (spec 3, Enumerations); empty without one. */
    category: z.string(),
    exploitability: z.number().nullable(),
    impact: z.number().nullable(),
    discoveryDate: Time.nullable(),
    fixDate: Time.nullable(),
    sourceFile: z.string(),
    appliedVignette: z.string(),
    /** Set when the report that gave it has revoked or deprecated it. */
    withdrawn: z.enum(withdrawals).nullable(),
    isActive: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Vulnerability' });
export type Vulnerability = z.infer<typeof Vulnerability>;

/** All of it. `version` is the ETag. */
export const VulnerabilityDetail = Vulnerability.extend({
  severityDescription: z.string(),
  exploitabilityDescription: z.string(),
  remediationLevel: z.string(),
  remediationSteps: z.string(),
  solution: z.string(),
  mitigation: z.string(),
  reference: z.string(),
  ...importableFields,
}).meta({ id: 'VulnerabilityDetail' });
export type VulnerabilityDetail = z.infer<typeof VulnerabilityDetail>;

export const vulnerabilityListSchemas = listSchemas(vulnerabilityList, {
  /** What that report asserts. */
  fileId: Id,
  /** What is related to that asset. */
  assetId: Id,
  /** Only those with a source file: the data list (spec 5, Lists). */
  imported: Flag,
  /** Without the bound itself, as the metric cards count (spec 9, Vulnerability metrics). */
  severityAbove: Amount,
});

export const vulnerabilitySchemas = {
  list: {
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ vulnerabilities: z.array(Vulnerability), ...listFields }) },
  },
  facets: {
    query: vulnerabilityListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    query: vulnerabilityListSchemas.exportQuery,
    reply: { 200: null },
  },
  metrics: {
    reply: {
      200: z.object({
        total: z.int(),
        open: z.int(),
        critical: z.int(),
        high: z.int(),
        fixed: z.int(),
        new: z.int(),
        /** Mean CVSS of those that have one; null: none has. */
        averageCvss: z.number().nullable(),
      }),
    },
  },
  fromReports: {
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ items: z.array(Vulnerability), ...listFields }) },
  },
  create: {
    body: NewVulnerability,
    reply: { 201: VulnerabilityDetail },
  },
  get: {
    params: IdParams,
    reply: { 200: VulnerabilityDetail },
  },
  update: {
    params: IdParams,
    body: VulnerabilityChange,
    reply: { 200: VulnerabilityDetail },
  },
  delete: {
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    body: vulnerabilityListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    body: z.intersection(vulnerabilityListSchemas.selection, z.object({ change: BulkVulnerabilityChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    body: Restore,
    reply: { 200: Restored },
  },
  sources: {
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    params: IdParams,
    body: Revert,
    reply: { 200: VulnerabilityDetail },
  },
  graph: {
    params: IdParams,
    reply: { 200: Graph },
  },
} satisfies SchemaTable;
