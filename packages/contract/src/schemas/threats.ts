import type { SchemaTable } from '../endpoint.ts';
import { withdrawals } from '../records.ts';
import { threatList } from '../threats.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { Amount, Facets, Flag, listFields, listSchemas } from './list.ts';
import { BulkUpdated, Graph, RecordSources, Restore, Restored, Revert, importableFields } from './records.ts';
import { BulkThreatChange, NewThreat, ThreatChange } from './threat-input.ts';
import { z } from 'zod';

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

export const threatListSchemas = listSchemas(threatList, {
  fileId: Id,
  assetId: Id,
  imported: Flag,
  /** Without the bound itself, as the metric cards count (spec 9, Threats). */
  riskLevelAbove: Amount,
});

export const threatSchemas = {
  list: {
    query: threatListSchemas.query,
    reply: { 200: z.object({ threats: z.array(Threat), ...listFields }) },
  },
  facets: {
    query: threatListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    query: threatListSchemas.exportQuery,
    reply: { 200: null },
  },
  metrics: {
    reply: { 200: z.object({ total: z.int(), active: z.int(), critical: z.int(), high: z.int() }) },
  },
  create: {
    body: NewThreat,
    reply: { 201: ThreatDetail },
  },
  get: {
    params: IdParams,
    reply: { 200: ThreatDetail },
  },
  update: {
    params: IdParams,
    body: ThreatChange,
    reply: { 200: ThreatDetail },
  },
  delete: {
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    body: threatListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    body: z.intersection(threatListSchemas.selection, z.object({ change: BulkThreatChange })),
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
    reply: { 200: ThreatDetail },
  },
  graph: {
    params: IdParams,
    reply: { 200: Graph },
  },
} satisfies SchemaTable;
