import { findCycle, type OrganizationTransaction } from '@riskboard/db';
import { invalidField } from '../lib/http/failure.ts';
import { requireAssets } from '../records/find.ts';

/**
 * The project of a new asset: named in the address or in the body; if both name one, they must be equal.
 * @throws Failure 422 on projectId
 */
export function projectOf(inAddress: string | undefined, inBody: string | undefined): string {
  const named = inAddress ?? inBody;
  if (named === undefined) throw invalidField('projectId', 'Choose a project.');
  if (inBody !== undefined && inBody.toLowerCase() !== named.toLowerCase())
    throw invalidField('projectId', 'The address names another project.');
  return named;
}

/** @throws Failure 422 on `field` when the project is not in this organization */
export async function requireProject(
  trx: OrganizationTransaction,
  id: string | undefined,
  field = 'projectId',
): Promise<void> {
  if (id === undefined) return;
  const known = await trx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw invalidField(field, 'This project does not exist.');
}

/**
 * Whether these may be children of the asset: they exist, the asset is not among them, and no relations lead from them
 * back to it (contract, Relationships). Call it under lockAssets. `id` is undefined for a new asset, which has no
 * parents.
 * @throws Failure 422 on relatedAssets, naming the assets that do not exist or the cycle
 */
export async function requireRelatable(
  trx: OrganizationTransaction,
  { id, children }: { id: string | undefined; children: readonly string[] | undefined },
): Promise<void> {
  if (children === undefined || children.length === 0) return;
  if (id !== undefined && children.includes(id))
    throw invalidField('relatedAssets', 'An asset cannot be related to itself.');
  await requireAssets(trx, children);
  const cycle = id === undefined ? undefined : await findCycle(trx, { parent: id, children });
  if (!cycle) return;
  const { path, isWhole } = cycle;
  const names = new Map(
    (await trx.selectFrom('asset').select(['id', 'name']).where('id', 'in', path).execute()).map((row) => [
      row.id,
      row.name,
    ]),
  );
  const way = path.map((at) => names.get(at) ?? at).join(' → ');
  throw invalidField('relatedAssets', `Relationships must not form a cycle: ${way}${isWhole ? '.' : ' → …'}`);
}
