import type { RelationsChange, RelationsChanged } from '@riskboard/contract';
import { lockAssets, type OrganizationTransaction, type RelatedRecords, relateRecords } from '@riskboard/db';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';
import { recordRelated, relationChangeOf, requireRecords } from '../records/related-records.ts';

/** Relates threats and vulnerabilities to one asset, or removes relations. @throws Failure 404, 422 */
export async function relateToAsset(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, body }: { id: string; body: RelationsChange },
): Promise<{ reply: RelationsChanged; records: RelatedRecords[] }> {
  await lockAssets(trx);
  const asset = await trx.selectFrom('asset').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
  if (!asset) throw new Failure('not_found', 'Asset not found.');
  const change = relationChangeOf(body);
  await requireRecords(trx, change, (noun) => `add.${noun}`);
  const relations = await relateRecords(trx, { change, by: caller.accountId });
  await relations.relate([asset.id]);
  const { records, changes } = await relations.finish();
  await recordRelated(trx, caller, records);
  if (records.length > 0)
    await recordActivity(trx, caller, {
      action: 'asset.updated',
      nounId: asset.id,
      name: asset.name,
      detail: { changes },
    });
  const changed = (side: 'added' | 'removed') => ({
    threats: records.find(({ noun }) => noun === 'threats')?.[side] ?? [],
    vulnerabilities: records.find(({ noun }) => noun === 'vulnerabilities')?.[side] ?? [],
  });
  return { reply: { added: changed('added'), removed: changed('removed') }, records };
}
