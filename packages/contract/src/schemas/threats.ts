import { threatEntity } from '../entities/threat.ts';
import { bulkSchema, changeSchema, detailSchema, newSchema, relationChange, rowSchema } from './entity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { threatList } from '../threats.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams } from './common.ts';
import { Exported, Amount, Facets, Flag, listFields, listSchemas, timeBounds } from './list.ts';
import {
  BulkUpdated,
  Graph,
  RecordSources,
  RelatedRecords,
  Restore,
  Restored,
  Revert,
  reportedFields,
} from './records.ts';
import { Suggestions } from './suggestions.ts';
import { z } from 'zod';

const { fields } = threatEntity;

/** A threat in a list. */
export const Threat = rowSchema(fields).meta({ id: 'Threat' });
export type Threat = z.infer<typeof Threat>;

/** A threat with all its fields. `version`: for `If-Match`. */
export const ThreatDetail = detailSchema(fields).extend(reportedFields).meta({ id: 'ThreatDetail' });
export type ThreatDetail = z.infer<typeof ThreatDetail>;

/** A threat that a user enters (spec 5, Threat). */
export const NewThreat = newSchema(fields);
/** Any subset of the fields. */
export const ThreatChange = changeSchema(fields);
/** What a bulk edit sets. */
export const BulkThreatChange = bulkSchema(fields, relationChange);

export const threatListSchemas = listSchemas(threatList, {
  fileId: Id.describe('What that report asserts.'),
  assetId: Id.describe('What is related to that asset.'),
  projectId: Id.describe('What is related to any asset of that project.'),
  imported: Flag.describe('`true`: only those with a source file.'),
  /** As the metric cards count (spec 9). */
  riskLevelAbove: Amount.describe('More than this number.'),
  levelChangedAtMin: timeBounds.from.describe(
    'Rows of which the risk level changed last at this time or later.',
  ),
  levelChangedAtMax: timeBounds.to.describe(
    'Rows of which the risk level changed last at this time or earlier.',
  ),
});

export const threatSchemas = {
  list: {
    summary: 'Threats of the organization',
    query: threatListSchemas.query,
    reply: { 200: z.object({ threats: z.array(Threat), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: threatListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: threatListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  metrics: {
    summary: 'Counts over all threats: critical above 70, high above 40 up to 70 (spec 9)',
    reply: { 200: z.object({ total: z.int(), active: z.int(), critical: z.int(), high: z.int() }) },
  },
  create: { summary: 'Create a threat', body: NewThreat, reply: { 201: ThreatDetail } },
  get: {
    summary: 'One threat; its ETag begins with its version',
    params: IdParams,
    reply: { 200: ThreatDetail },
  },
  update: {
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: ThreatChange,
    reply: { 200: ThreatDetail },
  },
  delete: {
    summary: 'Delete a threat; it can be restored for 30 days',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    summary: 'Delete these threats or all that match; above 500 as a job',
    body: threatListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    summary: 'Set state, type, category or related assets of these or all that match; above 500 as a job',
    body: z.intersection(threatListSchemas.selection, z.object({ change: BulkThreatChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: { summary: 'Restore deleted threats', body: Restore, reply: { 200: Restored } },
  sources: {
    summary: 'Values that each report asserts, with their location in the report',
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    summary: 'Revert fields that a user changed to the values of the reports',
    params: IdParams,
    body: Revert,
    reply: { 200: ThreatDetail },
  },
  suggestions: {
    summary: 'Assets that the threat may concern, with the reasons',
    params: IdParams,
    reply: { 200: z.object({ assets: Suggestions }) },
  },
  related: {
    summary: 'Vulnerabilities that reports relate the threat to, by name, with the reports',
    params: IdParams,
    reply: { 200: RelatedRecords },
  },
  graph: {
    summary:
      'The threat, its related assets, other records related to those assets, and vulnerabilities that reports relate to it',
    params: IdParams,
    reply: { 200: Graph },
  },
} satisfies SchemaTable;
