import {
  assetHealths,
  assetTypes,
  confidentialityLevels,
  fiveLevels,
  protectionLevels,
} from '@riskboard/domain';
import { z } from 'zod';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';
import { defineList, Facets, levelsOf, listFields } from './list.ts';
import { Restore, Restored } from './records.ts';
import {
  Description,
  Name,
  optionalNumber,
  optionalTime,
  optionalWhole,
  Related,
  RelatedIds,
  Text,
  wholeNumber,
} from './record-fields.ts';

/** An asset with what is derived from it (spec 9, Assets). */
export const Asset = z
  .object({
    _id: Id,
    name: z.string(),
    description: z.string(),
    projectId: Id,
    projectName: z.string(),
    assetTypeId: z.int(),
    /** 1-5. */
    criticality: z.int().nullable(),
    replacementCost: z.number().nullable(),
    recoveryCost: z.number().nullable(),
    /** 1-5. */
    confidentialityLevel: z.int().nullable(),
    /** 1-4. */
    integrityLevel: z.int().nullable(),
    /** 1-4. */
    availabilityLevel: z.int().nullable(),
    /** 0-10, from the formula of spec 9. */
    riskScore: z.number(),
    health: z.enum(assetHealths),
    threatCount: z.int(),
    vulnerabilityCount: z.int(),
    startDate: Time.nullable(),
    isActive: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

/** All of it. `threats` and `vulnerabilities` at most 1,000 each, the counts exact. */
export const AssetDetail = Asset.extend({
  confidentialityDescription: z.string(),
  integrityDescription: z.string(),
  availabilityDescription: z.string(),
  reference: z.string(),
  /** Assets that hang on this one. */
  relatedAssets: z.array(Related),
  /** Assets that this one hangs on: they cannot be made its children. */
  parentAssets: z.array(Related),
  threats: z.array(Related.extend({ riskLevel: z.number().nullable() })),
  vulnerabilities: z.array(
    Related.extend({ severity: z.number().nullable(), cvssScore: z.number().nullable(), status: z.string() }),
  ),
  createdBy: Id.nullable(),
  updatedBy: z.string(),
  version: z.int(),
}).meta({ id: 'AssetDetail' });
export type AssetDetail = z.infer<typeof AssetDetail>;

export const assetList = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    assetTypeId: { label: 'Type', kind: 'choice', values: Object.keys(assetTypes), labels: assetTypes },
    criticality: { label: 'Criticality', ...levelsOf(fiveLevels) },
    confidentialityLevel: { label: 'Confidentiality', ...levelsOf(confidentialityLevels) },
    integrityLevel: { label: 'Integrity', ...levelsOf(protectionLevels) },
    availabilityLevel: { label: 'Availability', ...levelsOf(protectionLevels) },
    riskScore: { label: 'Risk Score', kind: 'number' },
    health: { label: 'Health', kind: 'choice', values: assetHealths },
    /** `at-risk`: health Critical or risk score from 7 (contract, Meanings). */
    status: { label: 'Status', kind: 'choice', values: ['at-risk'], sortable: false },
    projectId: { label: 'Project', kind: 'choice', sortable: false },
    threatCount: { label: 'Threats', kind: 'number' },
    vulnerabilityCount: { label: 'Vulnerabilities', kind: 'number' },
    replacementCost: { label: 'Replacement Cost', kind: 'number' },
    recoveryCost: { label: 'Recovery Cost', kind: 'number' },
    startDate: { label: 'Start Date', kind: 'time' },
    createdAt: { label: 'Created', kind: 'time' },
    updatedAt: { label: 'Updated', kind: 'time' },
  },
  { standard: '-createdAt', extra: {} },
);

const ProjectId = z.uuid('Choose a project.');

const fields = {
  name: Name,
  description: Description,
  assetTypeId: wholeNumber(1, 6),
  criticality: optionalWhole(1, 5).optional(),
  replacementCost: optionalNumber(0, 1e12).optional(),
  recoveryCost: optionalNumber(0, 1e12).optional(),
  confidentialityLevel: optionalWhole(1, 5).optional(),
  confidentialityDescription: Text.optional(),
  integrityLevel: optionalWhole(1, 4).optional(),
  integrityDescription: Text.optional(),
  availabilityLevel: optionalWhole(1, 4).optional(),
  availabilityDescription: Text.optional(),
  reference: Text.optional(),
  startDate: optionalTime.optional(),
  relatedAssets: RelatedIds.optional(),
  isActive: z.boolean().optional(),
};

export const assets = endpoints({
  list: {
    method: 'GET',
    path: '/api/assets',
    access: 'viewer',
    summary: 'Assets of the organization',
    query: assetList.query,
    reply: {
      200: z.object({
        assets: z.array(Asset),
        ...listFields,
        /** How many come before this page. */
        skipped: z.int(),
      }),
    },
  },
  facets: {
    method: 'GET',
    path: '/api/assets/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: assetList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/assets/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: assetList.exportQuery,
    reply: { 200: null },
  },
  create: {
    method: 'POST',
    path: '/api/assets',
    access: 'analyst',
    summary: 'Create an asset in a project',
    /** The project is named here or in the body; in both, it is the same. */
    query: z.object({ projectId: ProjectId.optional() }),
    body: z.object({ ...fields, projectId: ProjectId.optional() }),
    reply: { 201: AssetDetail },
  },
  get: {
    method: 'GET',
    path: '/api/assets/:id',
    access: 'viewer',
    summary: 'One asset; its version is the ETag',
    params: IdParams,
    reply: { 200: AssetDetail },
  },
  update: {
    method: 'PUT',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; relations form no cycle',
    params: IdParams,
    body: z.object({
      ...fields,
      name: fields.name.optional(),
      description: fields.description.optional(),
      projectId: ProjectId.optional(),
      assetTypeId: fields.assetTypeId.optional(),
    }),
    reply: { 200: AssetDetail },
  },
  delete: {
    method: 'DELETE',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Delete an asset; it can be restored for 30 days',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/assets/bulk',
    access: 'analyst',
    summary: 'Delete these assets or all that match, restorable for 30 days; above 500 as a job',
    body: assetList.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    method: 'POST',
    path: '/api/assets/restore',
    access: 'analyst',
    summary: 'Bring deleted assets back as they were, unless their project is gone',
    body: Restore,
    reply: { 200: Restored },
  },
  hierarchy: {
    method: 'GET',
    path: '/api/assets/:id/hierarchy',
    access: 'viewer',
    summary: 'The assets that hang on this one',
    params: IdParams,
    reply: {
      200: z.object({ children: z.array(Related.extend({ assetTypeId: z.int() })) }),
    },
  },
});
