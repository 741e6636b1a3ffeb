import { lockAssets, newId, type OrganizationTransaction, setRelated } from '@riskboard/db';
import { changesOf } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { changedColumns, columnsOf, fieldsOf, nextVersion, type Values } from '../lib/columns.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import { requireProject, requireRelatable } from './check.ts';
import { findAsset } from './find.ts';
import type { FullAsset } from './present.ts';

/** Fields that a person may set, and their columns. */
const columns = {
  name: 'name',
  description: 'description',
  projectId: 'project_id',
  assetTypeId: 'asset_type_id',
  criticality: 'criticality',
  replacementCost: 'replacement_cost',
  recoveryCost: 'recovery_cost',
  confidentialityLevel: 'confidentiality_level',
  confidentialityDescription: 'confidentiality_description',
  integrityLevel: 'integrity_level',
  integrityDescription: 'integrity_description',
  availabilityLevel: 'availability_level',
  availabilityDescription: 'availability_description',
  reference: 'reference',
  startDate: 'start_date',
  isActive: 'is_active',
} as const;

interface Asked {
  caller: Caller;
  body: Values & { projectId?: string | undefined; relatedAssets?: string[] | undefined };
}

/** As the database writes identifiers: two ways to write one must not pass for two. */
const childrenOf = (body: Asked['body']): string[] | undefined =>
  body.relatedAssets?.map((id) => id.toLowerCase());

/** @throws Failure 422 */
export async function createAsset(trx: OrganizationTransaction, { caller, body }: Asked): Promise<FullAsset> {
  await lockAssets(trx);
  const children = childrenOf(body);
  await requireProject(trx, body.projectId);
  await requireRelatable(trx, { id: undefined, children });
  const id = newId();
  await trx
    .insertInto('asset')
    .values({
      organization_id: caller.organizationId,
      id,
      created_by: caller.accountId,
      updated_by: caller.accountId,
      ...columnsOf(columns, body),
    } as never)
    .execute();
  await setRelated(trx, { id, related: children ?? [] });
  const asset = await findAsset(trx, id);
  await recordActivity(trx, caller, {
    action: 'asset.created',
    noun: 'assets',
    nounId: id,
    name: asset.name,
    detail: { project: asset.project_name },
  });
  return asset;
}

/**
 * Changes what is given; a change that changes nothing leaves the version as it is.
 * @throws Failure 404, 412, 422
 */
export async function updateAsset(
  trx: OrganizationTransaction,
  { id, caller, body, request }: Asked & { id: string; request: FastifyRequest },
): Promise<{ asset: FullAsset; changed: boolean }> {
  await lockAssets(trx);
  const before = await findAsset(trx, id);
  requireVersion(request, { version: before.version, changedBy: before.changer });
  await requireProject(trx, body.projectId);
  const children = childrenOf(body);
  await requireRelatable(trx, { id: before.id, children });
  const changed = changedColumns(columnsOf(columns, body), { ...before });
  const related = children ? await setRelated(trx, { id, related: children }) : false;
  if (Object.keys(changed).length === 0 && !related) return { asset: before, changed: false };
  await trx
    .updateTable('asset')
    .set({
      ...changed,
      ...nextVersion(caller),
    } as never)
    .where('id', '=', id)
    .execute();
  const asset = await findAsset(trx, id);
  await recordActivity(trx, caller, {
    action: 'asset.updated',
    noun: 'assets',
    nounId: id,
    name: asset.name,
    detail: { changes: changesOf(logged(before), logged(asset), Object.keys(logged(asset))) },
  });
  return { asset, changed: true };
}

/** What the log compares: the fields, and what an id stands for by its name. */
const logged = (asset: FullAsset): Values => ({
  ...fieldsOf(columns, { ...asset }),
  project: asset.project_name,
  relatedAssets: asset.children.map((child) => child.name).join(', '),
});
