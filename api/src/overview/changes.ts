import { mostHistoryDays } from '@riskboard/contract';
import type { OverviewChanges } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, readEntries, readTotals } from '@riskboard/db';
import {
  daysBetween,
  exposureChange,
  overallRiskFormulas,
  type Period,
  presentExposureCauses,
  presentRiskCauses,
  riskChange,
  type RiskCount,
  riskCounts,
  type RiskWeights,
} from '@riskboard/domain';
import { invalidField } from '../lib/http/failure.ts';
import { openSeverities, recordedSince, riskCountsAt, riskFlows, severityFlows, todayOf } from './ledger.ts';

/** Later than any day: what the clock recorded before it was set back counts today. */
const forever = '9999-12-31';

/** @throws Failure 422 naming the field */
function checkPeriod({ from, to }: Period, today: string): void {
  if (to > today) throw invalidField('to', 'Must not be in the future (UTC).');
  if (from > to) throw invalidField('from', 'Must not be after the later day.');
  if (daysBetween(from, to) > mostHistoryDays)
    throw invalidField('from', `Must be at most ${mostHistoryDays} days before the later day.`);
}

/** The weights of the formula that was in force at the end of a UTC day; undefined: those of today. */
async function weightsAt(trx: OrganizationTransaction, day: string): Promise<RiskWeights | undefined> {
  const snapshot = await trx
    .selectFrom('overview_snapshot')
    .select('formula_version')
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return snapshot && overallRiskFormulas[snapshot.formula_version];
}

/**
 * Why a score moved between the ends of two UTC days (contract, Explanations). The totals of the later day are those of
 * the earlier one and the entries between them, so that the causes add up also while others write.
 * @throws Failure 422
 */
export async function overviewChanges(
  trx: OrganizationTransaction,
  { measure, ...period }: Period & Pick<OverviewChanges, 'measure'>,
): Promise<OverviewChanges> {
  const today = await todayOf(trx);
  checkPeriod(period, today);
  const { from, to } = period;
  const before = await readTotals(trx, { endOf: from });
  const entries = await readEntries(trx, { after: from, until: to === today ? forever : to });
  const since = await recordedSince(trx);
  const dated = (fromScore: number, toScore: number) => ({
    measure,
    from: { date: from, score: fromScore },
    to: { date: to, score: toScore },
    recordedSince: since,
  });
  if (measure === 'exposure') {
    const change = exposureChange(openSeverities(before), severityFlows(entries));
    return { ...dated(change.from, change.to), causes: presentExposureCauses(change, period) };
  }
  const flows = riskFlows(before, entries, period);
  const first = riskCountsAt(before, from);
  const last = Object.fromEntries(
    riskCounts.map((count) => [
      count,
      flows.reduce((sum, flow) => sum + (flow.count === count ? flow.rows : 0), first[count]),
    ]),
  ) as Record<RiskCount, number>;
  const change = riskChange(
    { counts: first, weights: await weightsAt(trx, from) },
    { counts: last, weights: await weightsAt(trx, to) },
    flows,
  );
  return { ...dated(change.from, change.to), causes: presentRiskCauses(change, period) };
}
