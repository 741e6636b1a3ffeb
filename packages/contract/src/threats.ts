import { fiveLevels, riskBands, threatTypes, threeLevels } from '@riskboard/domain';
import { z } from 'zod';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Amount, defineList, Facets, Flag, levelsOf, listFields } from './list.ts';
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
import { BulkThreatChange, NewThreat, ThreatChange } from './threat-input.ts';

/** A threat as the lists show it. `riskLevel` 0-100, null when nobody assessed it. */
export const Threat = z
  .object({
    _id: Id,
    name: z.string(),
    description: z.string(),
    /** CAPEC or ATT&CK identifier; empty when the report gives none. */
    threatID: z.string(),
    /** STIX construct it came from (malware, attack-pattern, ...); empty when made by hand. */
    kind: z.string(),
    threatTypeId: z.int().nullable(),
    threatCategory: z.string(),
    /** 1-3. */
    motivation: z.int().nullable(),
    /** 1-3. */
    capability: z.int().nullable(),
    /** 1-5. */
    likelihood: z.int().nullable(),
    /** 1-5. */
    impact: z.int().nullable(),
    riskLevel: z.number().nullable(),
    /** 'derived': 4 x likelihood x impact; 'capec'; empty when a person gave it. */
    riskLevelSource: z.string(),
    isActive: z.boolean(),
    sourceFile: z.string(),
    withdrawn: z.enum(withdrawals).nullable(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Threat' });
export type Threat = z.infer<typeof Threat>;

/** All of it. `version` is the ETag. */
export const ThreatDetail = Threat.extend({
  source: z.string(),
  motivationDescription: z.string(),
  capabilityDescription: z.string(),
  likelihoodDescription: z.string(),
  impactDescription: z.string(),
  /** Shown as Compensating Controls. */
  mitigationStrategy: z.string(),
  reference: z.string(),
  ...importableFields,
}).meta({ id: 'ThreatDetail' });
export type ThreatDetail = z.infer<typeof ThreatDetail>;

export const threatList = defineList(
  {
    sourceFile: { label: 'Source File', kind: 'choice' },
    name: { label: 'Name', kind: 'text' },
    threatID: { label: 'Threat ID', kind: 'choice' },
    kind: { label: 'Kind', kind: 'choice' },
    threatTypeId: {
      label: 'Type',
      kind: 'choice',
      values: Object.keys(threatTypes),
      labels: threatTypes,
    },
    threatCategory: { label: 'Category', kind: 'choice' },
    motivation: { label: 'Motivation', ...levelsOf(threeLevels) },
    capability: { label: 'Capability', ...levelsOf(threeLevels) },
    likelihood: { label: 'Likelihood', ...levelsOf(fiveLevels) },
    impact: { label: 'Impact', ...levelsOf(fiveLevels) },
    riskLevel: { label: 'Risk Level', kind: 'number' },
    /** Bands of the risk level: high above 60, medium above 30 (contract, Severity bands). */
    risk: { label: 'Risk', kind: 'choice', values: riskBands.map((band) => band.value), sortable: false },
    isActive: { label: 'Active', kind: 'choice', values: ['true', 'false'] },
    withdrawn: { label: 'Withdrawn', kind: 'choice', values: withdrawals },
    createdAt: { label: 'Created At', kind: 'time' },
    updatedAt: { label: 'Updated At', kind: 'time' },
  },
  {
    standard: '-createdAt',
    extra: {
      fileId: Id,
      assetId: Id,
      imported: Flag,
      /** Without the bound itself, as the metric cards count (spec 9, Threats). */
      riskLevelAbove: Amount,
    },
  },
);

export const threats = endpoints({
  list: {
    method: 'GET',
    path: '/api/threats',
    access: 'viewer',
    summary: 'Threats of the organization',
    query: threatList.query,
    reply: { 200: z.object({ threats: z.array(Threat), ...listFields }) },
  },
  facets: {
    method: 'GET',
    path: '/api/threats/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: threatList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/threats/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: threatList.exportQuery,
    reply: { 200: null },
  },
  metrics: {
    method: 'GET',
    path: '/api/threats/metrics',
    access: 'viewer',
    summary: 'Counts over all threats: critical above 70, high above 40 up to 70 (spec 9)',
    reply: { 200: z.object({ total: z.int(), active: z.int(), critical: z.int(), high: z.int() }) },
  },
  create: {
    method: 'POST',
    path: '/api/threats',
    access: 'analyst',
    summary: 'Create a threat',
    body: NewThreat,
    reply: { 201: ThreatDetail },
  },
  get: {
    method: 'GET',
    path: '/api/threats/:id',
    access: 'viewer',
    summary: 'One threat; its version is the ETag',
    params: IdParams,
    reply: { 200: ThreatDetail },
  },
  update: {
    method: 'PUT',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: ThreatChange,
    reply: { 200: ThreatDetail },
  },
  delete: {
    method: 'DELETE',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Delete a threat; it can be restored for 30 days',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Delete these threats or all that match; above 500 as a job',
    body: threatList.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    method: 'PUT',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Set activity, type, category or related assets of these or all that match; above 500 as a job',
    body: z.intersection(threatList.selection, z.object({ change: BulkThreatChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    method: 'POST',
    path: '/api/threats/restore',
    access: 'analyst',
    summary: 'Bring deleted threats back as they were',
    body: Restore,
    reply: { 200: Restored },
  },
  sources: {
    method: 'GET',
    path: '/api/threats/:id/sources',
    access: 'viewer',
    summary: 'What each report says of it, and where in the report',
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    method: 'POST',
    path: '/api/threats/:id/revert',
    access: 'analyst',
    summary: 'Take fields that a person changed back to what the reports say',
    params: IdParams,
    body: Revert,
    reply: { 200: ThreatDetail },
  },
  graph: {
    method: 'GET',
    path: '/api/threats/:id/graph',
    access: 'viewer',
    summary: 'The threat, its related assets, and what else concerns those',
    params: IdParams,
    reply: { 200: Graph },
  },
});
