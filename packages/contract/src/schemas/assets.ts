import { assetEntity } from '../entities/asset.ts';
import { changeSchema, detailSchema, newSchema, rowSchema } from './entity.ts';
import { Related } from './record-fields.ts';
import { assetList } from '../assets.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, BulkDeleted, Deleted, IdParams } from './common.ts';
import { Facets, listFields, listSchemas } from './list.ts';
import { Restore, Restored } from './records.ts';
import { z } from 'zod';

const { fields } = assetEntity;

/** An asset in a list. */
export const Asset = rowSchema(fields).meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

/** An asset with all its fields. `threats` and `vulnerabilities` at most 1,000 each, the counts exact. */
export const AssetDetail = detailSchema(fields)
  .extend({
    /** Assets that this one is a child of: they cannot be made its children. */
    parentAssets: z.array(Related),
    threats: z.array(Related.extend({ riskLevel: z.number().nullable() })),
    vulnerabilities: z.array(
      Related.extend({
        severity: z.number().nullable(),
        cvssScore: z.number().nullable(),
        status: z.string(),
      }),
    ),
  })
  .meta({ id: 'AssetDetail' });
export type AssetDetail = z.infer<typeof AssetDetail>;

export const assetListSchemas = listSchemas(assetList);

const ProjectId = z.uuid('Choose a project.');

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
    body: newSchema(fields).extend({ projectId: ProjectId.optional() }),
    reply: { 201: AssetDetail },
  },
  get: {
    params: IdParams,
    reply: { 200: AssetDetail },
  },
  update: {
    params: IdParams,
    body: changeSchema(fields),
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
