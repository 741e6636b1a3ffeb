import { threatEntity } from '../entities/threat.ts';
import { bulkSchema, changeSchema, detailSchema, newSchema, rowSchema } from './entity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { threatList } from '../threats.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams } from './common.ts';
import { Amount, Facets, Flag, listFields, listSchemas } from './list.ts';
import { BulkUpdated, Graph, RecordSources, Restore, Restored, Revert, importableFields } from './records.ts';
import { z } from 'zod';

const { fields } = threatEntity;

/** A threat in a list. */
export const Threat = rowSchema(fields).meta({ id: 'Threat' });
export type Threat = z.infer<typeof Threat>;

/** A threat with all its fields. `version` is the ETag. */
export const ThreatDetail = detailSchema(fields).extend(importableFields).meta({ id: 'ThreatDetail' });
export type ThreatDetail = z.infer<typeof ThreatDetail>;

/** A threat that a user enters (spec 5, Threat). */
export const NewThreat = newSchema(fields);
/** Any subset of the fields. */
export const ThreatChange = changeSchema(fields);
/** What a bulk edit sets. */
export const BulkThreatChange = bulkSchema(fields);

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
