import { type AssetDetail, assetEntity } from '@riskboard/contract';
import { assetSource, lockAssets, lockScoresOfAssets, setRelated } from '@riskboard/db';
import { type AssetHealth, isAtRisk } from '@riskboard/domain';
import { sql } from 'kysely';
import type { EntityRules, FullEntity } from '../records/entity-rules.ts';
import { requireProject, requireRelatable } from './check.ts';
import { findAsset } from './find.ts';

/** An asset with its relations, and the threats and vulnerabilities related to it. */
export interface FullAsset extends FullEntity {
  relatedAssets: AssetDetail['relatedAssets'];
  relatedAssetTotal: number;
  parentAssets: AssetDetail['parentAssets'];
  parentAssetTotal: number;
  threats: AssetDetail['threats'];
  vulnerabilities: AssetDetail['vulnerabilities'];
}

export const assetRules = {
  entity: assetEntity,
  source: assetSource,
  // One writer of an organization's assets at a time: relations form no cycle.
  async lock(trx, { id, body }) {
    await lockAssets(trx);
    if (id !== undefined && body['criticality'] !== undefined)
      await lockScoresOfAssets(trx, sql`r.id = ${id}`);
  },
  find: findAsset,

  async check(trx, { id, body }) {
    await requireProject(trx, body['projectId'] as string | undefined);
    const children = (body['relatedAssets'] as string[] | undefined)?.map((child) => child.toLowerCase());
    await requireRelatable(trx, { id, children });
  },

  relate: (trx, id, related) => setRelated(trx, { id, related }),

  derivedFields: (row) => ({
    projectName: row['project_name'],
  }),

  detailParts: ({ parentAssets, parentAssetTotal, threats, vulnerabilities }) => ({
    parentAssets,
    parentAssetTotal,
    threats,
    vulnerabilities,
  }),

  // A CSV file has the name of the project.
  exportedValues: ({ health, riskScore, projectName }, format) => ({
    status: isAtRisk({ health: health as AssetHealth, riskScore: Number(riskScore) }) ? 'at-risk' : null,
    ...(format === 'csv' && { projectId: projectName }),
  }),

  loggedValues: ({ row }) => ({ project: row['project_name'] }),
  creationDetail: ({ row }) => ({ project: row['project_name'] }),
} satisfies EntityRules<FullAsset>;
