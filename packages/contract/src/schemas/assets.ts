import { assetHealths } from '@riskboard/domain';
import { assetEntity } from '../entities/asset.ts';
import { bulkSchema, changeSchema, detailSchema, newSchema, rowSchema } from './entity.ts';
import { Related, RelatedIds, RelatedTotal } from './record-fields.ts';
import { Suggestions } from './suggestions.ts';
import { assetList } from '../assets.ts';
import type { SchemaTable } from '../endpoint.ts';
import { AssetScore } from './asset-score.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams } from './common.ts';
import { Exported, Facets, listFields, listSchemas, timeBounds } from './list.ts';
import { BulkUpdated, Restore, Restored } from './records.ts';
import { z } from 'zod';

const { fields } = assetEntity;

/** An asset in a list. */
export const Asset = rowSchema(fields).meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

/** An asset with all its fields. Each list of related records has at most 1,000, the counts are exact. */
export const AssetDetail = detailSchema(fields)
  .extend({
    parentAssets: z
      .array(Related)
      .describe('Assets that this one is a child of: they cannot be made its children.'),
    parentAssetTotal: z.int(),
    relatedAssetTotal: RelatedTotal,
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

/** What a bulk edit sets. */
export const BulkAssetChange = bulkSchema(fields, {
  addThreats: RelatedIds.optional(),
  removeThreats: RelatedIds.optional(),
  addVulnerabilities: RelatedIds.optional(),
  removeVulnerabilities: RelatedIds.optional(),
});

const RecordIds = z.object({ threats: RelatedIds.optional(), vulnerabilities: RelatedIds.optional() });

/** Threats and vulnerabilities to relate to an asset, and relations to remove. */
export const RelationsChange = z
  .object({ add: RecordIds.optional(), remove: RecordIds.optional() })
  .refine(
    ({ add, remove }) => [add, remove].some((ids) => ids?.threats?.length || ids?.vulnerabilities?.length),
    'Name at least one threat or vulnerability.',
  );

export type RelationsChange = z.infer<typeof RelationsChange>;

const ChangedIds = z.object({ threats: z.array(Id), vulnerabilities: z.array(Id) });

/** The relations that a request changed; those that were as requested are not among them. */
export const RelationsChanged = z.object({ added: ChangedIds, removed: ChangedIds });
export type RelationsChanged = z.infer<typeof RelationsChanged>;

export const assetListSchemas = listSchemas(assetList, {
  alert: Id.describe('What that alert reported.'),
  threatId: Id.describe('What is related to that threat.'),
  vulnerabilityId: Id.describe('What is related to that vulnerability.'),
  dependsOn: Id.describe('Assets that depend on that one without others between them.'),
  riskChangedAtMin: timeBounds.from.describe(
    'Assets that came to be at risk or ceased to be last at this time or later.',
  ),
  riskChangedAtMax: timeBounds.to.describe(
    'Assets that came to be at risk or ceased to be last at this time or earlier.',
  ),
});

/** An asset as graphs show it. */
export const GraphAsset = z.object({
  _id: Id,
  name: z.string(),
  riskScore: z.number().describe('0-10.'),
  health: z.enum(assetHealths),
});

/** `from` depends on `to`. */
export const AssetEdge = z.object({ from: Id, to: Id });

const Named = z.object({ _id: Id, name: z.string() });

/**
 * What depends on an asset, and which open vulnerabilities reach it. At most 100 steps, 10,000 assets in each direction,
 * 50,000 edges and 200 vulnerabilities.
 */
export const BlastRadius = z
  .object({
    /** Every asset that depends on it, directly or through others; nearest first, then highest score. */
    nodes: z.array(
      GraphAsset.extend({
        distance: z.int().describe('Least number of relations to the asset, 1 or more.'),
      }),
    ),
    edges: z.array(AssetEdge).describe('Relations among the nodes and the asset.'),
    truncated: z.boolean().describe('Nodes or edges are left out.'),
    /** Open vulnerabilities of the assets that it depends on; most severe first, then nearest. */
    exposure: z.array(
      z.object({
        vulnerability: Named.extend({
          severity: z.number().nullable(),
          cvssScore: z.number().nullable(),
        }),
        path: z
          .array(GraphAsset)
          .describe('The shortest way from the asset down to one that has the vulnerability, both included.'),
        distance: z.int().describe('Relations of the path, 1 or more.'),
      }),
    ),
    exposureTotal: z.int().describe('Vulnerabilities, those that `exposure` leaves out included.'),
    exposureTruncated: z
      .boolean()
      .describe('Vulnerabilities are left out, or not every asset below was searched.'),
  })
  .meta({ id: 'BlastRadius' });
export type BlastRadius = z.infer<typeof BlastRadius>;

const ProjectId = z.uuid('Choose a project.');

/** A new asset whose project is named in the body, as a form sends it. */
export const NewAssetInProject = newSchema(fields);

export const assetSchemas = {
  list: {
    summary: 'Assets of the organization',
    query: assetListSchemas.query,
    reply: {
      200: z.object({
        assets: z.array(Asset),
        ...listFields,
        skipped: z
          .int()
          .optional()
          .describe('How many come before this page; absent after a cursor, which does not count them.'),
      }),
    },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: assetListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: assetListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  metrics: {
    summary: 'Counts over all assets: at risk, and levels of 4 or more (spec 9)',
    reply: {
      200: z.object({
        total: z.int(),
        atRisk: z.int(),
        criticality: z.int(),
        confidentiality: z.int(),
        integrity: z.int(),
      }),
    },
  },
  create: {
    summary: 'Create an asset in a project',
    query: z.strictObject({
      projectId: ProjectId.optional().describe('The project, here or in the body; in both, it is the same.'),
    }),
    body: NewAssetInProject.extend({ projectId: ProjectId.optional() }),
    reply: { 201: AssetDetail },
  },
  get: {
    summary: 'One asset; its ETag begins with its version',
    params: IdParams,
    reply: { 200: AssetDetail },
  },
  update: {
    summary: 'Change any subset of the fields; relations form no cycle',
    params: IdParams,
    body: changeSchema(fields),
    reply: { 200: AssetDetail },
  },
  delete: {
    summary:
      'Delete an asset; it can be restored for 30 days; with more than 10,000 vulnerabilities as a job',
    params: IdParams,
    reply: { 200: Deleted, 202: Accepted },
  },
  deleteMany: {
    summary:
      'Delete these assets or all that match, restorable for 30 days; above 500, or with more than 10,000 vulnerabilities, as a job',
    body: assetListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    summary: 'Set type, levels, project or state of these assets or all that match; above 500 as a job',
    body: z.intersection(assetListSchemas.selection, z.object({ change: BulkAssetChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    summary: 'Restore deleted assets, except those whose project no longer exists',
    body: Restore,
    reply: { 200: Restored },
  },
  score: {
    summary: 'How the risk score comes about: inputs, what each adds, and the recorded history',
    params: IdParams,
    reply: { 200: AssetScore },
  },
  hierarchy: {
    summary: 'Child assets of this asset',
    params: IdParams,
    reply: {
      200: z.object({
        children: z.array(
          Related.extend({
            assetTypeId: z.int(),
            childCount: z.int().describe('Assets that this child depends on.'),
          }),
        ),
      }),
    },
  },
  relate: {
    summary: 'Relate threats and vulnerabilities to the asset, or remove relations',
    params: IdParams,
    body: RelationsChange,
    reply: { 200: RelationsChanged },
  },
  suggestions: {
    summary: 'Threats and vulnerabilities that may concern the asset, with the reasons',
    params: IdParams,
    reply: { 200: z.object({ threats: Suggestions, vulnerabilities: Suggestions }) },
  },
  blastRadius: {
    summary: 'What depends on this asset, and which open vulnerabilities reach it through what it depends on',
    params: IdParams,
    reply: { 200: BlastRadius },
  },
} satisfies SchemaTable;
