import { severityBands, vulnerabilityCategories, vulnerabilityStatuses } from '@riskboard/domain';
import { z } from 'zod';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Amount, defineList, Facets, Flag, listFields } from './list.ts';
import {
  BulkUpdated,
  Graph,
  importableFields,
  RecordSources,
  Restore,
  Restored,
  Revert,
  withdrawals,
} from './records.ts';
import { BulkVulnerabilityChange, NewVulnerability, VulnerabilityChange } from './vulnerability-input.ts';

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

export const vulnerabilityList = defineList(
  {
    sourceFile: { label: 'Source File', kind: 'choice' },
    name: { label: 'Name', kind: 'text' },
    cveId: { label: 'CVE', kind: 'choice' },
    cwe: { label: 'CWE', kind: 'choice' },
    severity: { label: 'Severity', kind: 'number', values: severityBands.map((band) => band.value) },
    /** `new` besides: open and made in the last 30 days (contract, Meanings). */
    status: { label: 'Status', kind: 'choice', values: [...vulnerabilityStatuses, 'new'] },
    categoryId: {
      label: 'Category',
      kind: 'choice',
      values: Object.keys(vulnerabilityCategories),
      labels: vulnerabilityCategories,
    },
    cvssScore: { label: 'CVSS', kind: 'number' },
    cvssVersion: { label: 'CVSS version', kind: 'choice' },
    cwssScore: { label: 'CWSS', kind: 'number' },
    exploitability: { label: 'Exploitability', kind: 'number' },
    impact: { label: 'Impact', kind: 'number' },
    appliedVignette: { label: 'Applied Vignette', kind: 'choice' },
    withdrawn: { label: 'Withdrawn', kind: 'choice', values: withdrawals },
    discoveryDate: { label: 'Discovery Date', kind: 'time' },
    fixDate: { label: 'Fix Date', kind: 'time' },
    createdAt: { label: 'Created At', kind: 'time' },
    updatedAt: { label: 'Updated At', kind: 'time' },
  },
  {
    standard: '-createdAt',
    extra: {
      /** What that report asserts. */
      fileId: Id,
      /** What is related to that asset. */
      assetId: Id,
      /** Only those with a source file: the data list (spec 5, Lists). */
      imported: Flag,
      /** Without the bound itself, as the metric cards count (spec 9, Vulnerability metrics). */
      severityAbove: Amount,
    },
  },
);

export const vulnerabilities = endpoints({
  list: {
    method: 'GET',
    path: '/api/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities of the organization',
    query: vulnerabilityList.query,
    reply: { 200: z.object({ vulnerabilities: z.array(Vulnerability), ...listFields }) },
  },
  facets: {
    method: 'GET',
    path: '/api/vulnerabilities/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: vulnerabilityList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/vulnerabilities/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: vulnerabilityList.exportQuery,
    reply: { 200: null },
  },
  metrics: {
    method: 'GET',
    path: '/api/vulnerabilities/metrics',
    access: 'viewer',
    summary: 'Counts over all vulnerabilities: Critical above 8, High above 6 up to 8 (spec 9)',
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
    method: 'GET',
    path: '/api/reports/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities that a report asserts',
    query: vulnerabilityList.query,
    reply: { 200: z.object({ items: z.array(Vulnerability), ...listFields }) },
  },
  create: {
    method: 'POST',
    path: '/api/vulnerabilities',
    access: 'analyst',
    summary: 'Create a vulnerability',
    body: NewVulnerability,
    reply: { 201: VulnerabilityDetail },
  },
  get: {
    method: 'GET',
    path: '/api/vulnerabilities/:id',
    access: 'viewer',
    summary: 'One vulnerability; its version is the ETag',
    params: IdParams,
    reply: { 200: VulnerabilityDetail },
  },
  update: {
    method: 'PUT',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: VulnerabilityChange,
    reply: { 200: VulnerabilityDetail },
  },
  delete: {
    method: 'DELETE',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    summary: 'Delete a vulnerability; it can be restored for 30 days',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
    summary: 'Delete these vulnerabilities or all that match; above 500 as a job',
    body: vulnerabilityList.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    method: 'PUT',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
    summary: 'Set status, category or related assets of these or all that match; above 500 as a job',
    body: z.intersection(vulnerabilityList.selection, z.object({ change: BulkVulnerabilityChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    method: 'POST',
    path: '/api/vulnerabilities/restore',
    access: 'analyst',
    summary: 'Bring deleted vulnerabilities back as they were',
    body: Restore,
    reply: { 200: Restored },
  },
  sources: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/sources',
    access: 'viewer',
    summary: 'What each report says of it, and where in the report',
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    method: 'POST',
    path: '/api/vulnerabilities/:id/revert',
    access: 'analyst',
    summary: 'Take fields that a person changed back to what the reports say',
    params: IdParams,
    body: Revert,
    reply: { 200: VulnerabilityDetail },
  },
  graph: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/graph',
    access: 'viewer',
    summary: 'The vulnerability, its related assets, and what else concerns those',
    params: IdParams,
    reply: { 200: Graph },
  },
});
