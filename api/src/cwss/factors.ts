import type { CwssExplanation, CwssFactorChanges } from '@riskboard/contract';
import {
  calculateOne,
  lockAssertions,
  type OrganizationTransaction,
  saveScores,
  scoreRows,
  waitForRuns,
} from '@riskboard/db';
import {
  calculateCwss,
  changesOf,
  type CwssFactor,
  cwssOrder,
  cwssValueOf,
  quantified,
  weightText,
  weightUnit,
} from '@riskboard/domain';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { lockRecord } from '../records/find.ts';
import type { RecordRow } from '../records/entity-rules.ts';
import { explainScore, overridesOf } from './explanation.ts';

/** A factor as it is stored; weights in units of 1/10,000. */
interface Override {
  code: string;
  weight: number;
  reason: string;
}

type Overrides = Partial<Record<CwssFactor, Override>>;

async function readOverrides(trx: OrganizationTransaction, id: string): Promise<Overrides> {
  const rows = await trx
    .selectFrom('cwss_override')
    .select(['factor', 'code', 'weight', 'reason'])
    .where('vulnerability_id', '=', id)
    .execute();
  return Object.fromEntries(
    rows.map(({ factor, weight, ...row }) => [factor, { ...row, weight: Math.round(weight * weightUnit) }]),
  );
}

/** The overrides after the changes. Values are stored by the code of the table: AV has UK as U. */
function changed(before: Overrides, changes: CwssFactorChanges): Overrides {
  const entries = cwssOrder.flatMap((factor): [CwssFactor, Override][] => {
    const change = changes[factor];
    const former = before[factor];
    if (change === null) return [];
    if (change === undefined) return former ? [[factor, former]] : [];
    const { code, weight } = cwssValueOf(factor, change.value) ?? {
      code: quantified,
      weight: Math.round((change.weight ?? 0) * weightUnit),
    };
    return [[factor, { code, weight, reason: change.reason }]];
  });
  return Object.fromEntries(entries);
}

/** For the activity log: values and reasons by factor. */
function logged(overrides: Overrides): Record<string, string | null> {
  const entries = cwssOrder.flatMap((factor): [string, string | null][] => {
    const own = overrides[factor];
    if (own === undefined)
      return [
        [factor, null],
        [`${factor} reason`, null],
      ];
    const value = own.code === quantified ? `${quantified} ${weightText(own.weight)}` : own.code;
    return [
      [factor, value],
      [`${factor} reason`, own.reason],
    ];
  });
  return Object.fromEntries(entries);
}

/** Writes what differs. Triggers keep the row of the vulnerability in step (migration 0026). */
async function writeOverrides(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, before, after }: { id: string; before: Overrides; after: Overrides },
): Promise<void> {
  const differing = cwssOrder.filter((factor) => {
    const [was, is] = [before[factor], after[factor]];
    return was?.code !== is?.code || was?.weight !== is?.weight || was?.reason !== is?.reason;
  });
  const rows = differing.flatMap((factor) => {
    const own = after[factor];
    if (own === undefined) return [];
    const { code, weight, reason } = own;
    return [{ factor, code, weight: weight / weightUnit, reason }];
  });
  await trx
    .deleteFrom('cwss_override')
    .where('vulnerability_id', '=', id)
    .where('factor', 'in', differing)
    .execute();
  if (rows.length === 0) return;
  const common = { organization_id: caller.organizationId, vulnerability_id: id, set_by: caller.accountId };
  await trx
    .insertInto('cwss_override')
    .values(rows.map((row) => ({ ...row, ...common })))
    .execute();
}

/**
 * The vignette of the newest score was deleted: only the factors are calculated again, with the ratings that were stored
 * with that score. The other reasons why it is stale remain.
 */
async function recalculateStored(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, after, stale }: { id: string; after: Overrides; stale: string[] },
): Promise<void> {
  const newest = await trx
    .selectFrom('cwss_score')
    .innerJoin('vulnerability', (join) =>
      join
        .onRef('vulnerability.organization_id', '=', 'cwss_score.organization_id')
        .onRef('vulnerability.id', '=', 'cwss_score.vulnerability_id')
        .onRef('vulnerability.cwss_version', '=', 'cwss_score.version'),
    )
    .selectAll('cwss_score')
    .select('vulnerability.cwss_inputs as revision')
    .where('vulnerability_id', '=', id)
    .executeTakeFirstOrThrow();
  const { vignette_id, vignette_name, vignette_version, catalogue_version, revision } = newest;
  const inputs = { ...newest.inputs, overrides: after };
  const { score, raw, vector } = calculateCwss(inputs);
  const row = { id, revision, score, raw, vector, inputs: JSON.stringify(inputs) };
  await saveScores(trx, scoreRows([row]), {
    vignette: { id: vignette_id, name: vignette_name, version: vignette_version },
    catalogueVersion: catalogue_version,
    by: caller.accountId,
    jobId: null,
    cause: 'factors',
  });
  await trx
    .updateTable('vulnerability')
    .set({ cwss_stale: stale.filter((reason) => reason !== 'factors') })
    .where('id', '=', id)
    .execute();
}

async function recalculate(
  trx: OrganizationTransaction,
  caller: Caller,
  { row, after }: { row: RecordRow; after: Overrides },
): Promise<void> {
  const vignetteId = row['cwss_vignette_id'] as string | null;
  const origin = { by: caller.accountId, jobId: null, cause: 'factors' } as const;
  const calculated =
    vignetteId === null
      ? undefined
      : await calculateOne(trx, { vulnerabilityId: row.id, vignetteId, ...origin });
  if (calculated?.missing === null) return;
  await recalculateStored(trx, caller, { id: row.id, after, stale: row['cwss_stale'] as string[] });
}

interface FactorsSet {
  /** Whether anything changed. */
  isChanged: boolean;
  reply: CwssExplanation | { score: null; overrides: CwssExplanation['overrides'] };
}

/**
 * Sets and removes factors of a vulnerability. A score that exists is calculated again with the newest version of its
 * vignette and with what is known now, so that it is current afterwards. Of two analysts at once the last one wins,
 * factor by factor.
 * @throws Failure 404
 */
export async function setFactors(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, changes }: { id: string; changes: CwssFactorChanges },
): Promise<FactorsSet> {
  await waitForRuns(trx);
  // Before the record: no vignette changes between the calculation and the commit.
  await lockAssertions(trx);
  const row = await lockRecord(trx, 'vulnerability', id);
  const before = await readOverrides(trx, row.id);
  const after = changed(before, changes);
  const difference = changesOf(logged(before), logged(after), Object.keys(logged(after)));
  const isChanged = Object.keys(difference).length > 0;
  const hasScore = Number(row['cwss_version']) > 0;
  if (isChanged) {
    await writeOverrides(trx, caller, { id: row.id, before, after });
    await recordActivity(trx, caller, {
      action: 'vulnerability.factors-changed',
      nounId: row.id,
      name: row.name,
      detail: { changes: difference },
    });
  }
  if (isChanged && hasScore) await recalculate(trx, caller, { row, after });
  return {
    isChanged,
    reply: hasScore
      ? await explainScore(trx, { id: row.id })
      : { score: null, overrides: await overridesOf(trx, row.id) },
  };
}
