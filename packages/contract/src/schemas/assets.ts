import { assetList } from '../assets.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { Facets, listFields, listSchemas } from './list.ts';
import {
  Description,
  Name,
  Related,
  RelatedIds,
  Text,
  optionalNumber,
  optionalTime,
  optionalWhole,
  wholeNumber,
} from './record-fields.ts';
import { Restore, Restored } from './records.ts';
import { assetHealths } from '@riskboard/domain';
import { z } from 'zod';

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

export const assetListSchemas = listSchemas(assetList);

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

export const assetSchemas = {
  list: {
    query: assetListSchemas.query,
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
    query: assetListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    query: assetListSchemas.exportQuery,
    reply: { 200: null },
  },
  create: {
    /** The project is named here or in the body; in both, it is the same. */
    query: z.object({ projectId: ProjectId.optional() }),
    body: z.object({ ...fields, projectId: ProjectId.optional() }),
    reply: { 201: AssetDetail },
  },
  get: {
    params: IdParams,
    reply: { 200: AssetDetail },
  },
  update: {
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
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    body: assetListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    body: Restore,
    reply: { 200: Restored },
  },
  hierarchy: {
    params: IdParams,
    reply: {
      200: z.object({ children: z.array(Related.extend({ assetTypeId: z.int() })) }),
    },
  },
} satisfies SchemaTable;
