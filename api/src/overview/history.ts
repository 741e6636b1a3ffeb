import { mostHistoryDays } from '@riskboard/contract';
import type { OverviewHistory } from '@riskboard/contract/schemas';
import {
  type OrganizationTransaction,
  type OverviewTotals,
  readRecomputedAt,
  readRecordedSince,
  readSnapshots,
  readTotals,
  readWeeks,
} from '@riskboard/db';
import {
  addDays,
  mondayOf,
  exposureMean,
  openSeverities,
  overallRisk,
  overallRiskFormulas,
  overviewCounts,
  type RiskWeights,
} from '@riskboard/domain';
import { checkPeriod, todayOf } from './period.ts';

interface Recorded {
  day: string;
  totals: OverviewTotals;
  weights?: RiskWeights | undefined;
}

function pointOf({ day, totals, weights }: Recorded): OverviewHistory['days'][number] {
  const counts = overviewCounts(totals, day);
  const { totalThreats, openVulnerabilities, newVulnerabilities, assetsAtRisk } = counts;
  return {
    date: day,
    score: overallRisk(counts, weights).score,
    totalThreats,
    openVulnerabilities,
    newVulnerabilities,
    assetsAtRisk,
    exposure: exposureMean(openSeverities(totals)),
  };
}

/** Points of the days with a snapshot; today is as it is now. */
async function pointsOf(
  trx: OrganizationTransaction,
  { from, to, today }: Record<'from' | 'to' | 'today', string>,
) {
  const snapshots = await readSnapshots(trx, { from, until: to });
  const days = snapshots
    .filter(({ day }) => day !== today)
    .map(({ formulaVersion, ...one }) => pointOf({ ...one, weights: overallRiskFormulas[formulaVersion] }));
  return to === today
    ? [...days, pointOf({ day: today, totals: await readTotals(trx, { form: 'snapshot' }) })]
    : days;
}

/**
 * The recorded numbers of each day, and found, resolved and fixed vulnerabilities of each week. A day without a snapshot
 * has no point. Weeks begin on Monday and are whole: the first one contains `from`, the last one `to`. Without `from` all
 * recorded days are shown. Needs one snapshot for all its statements.
 * @throws Failure 422
 */
export async function overviewHistory(
  trx: OrganizationTransaction,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<OverviewHistory> {
  const today = await todayOf(trx);
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, -mostHistoryDays);
  checkPeriod({ from, to }, today);
  const firstRecordedDay = await readRecordedSince(trx);
  const recomputedAt = (await readRecomputedAt(trx))?.toISOString() ?? null;
  if (firstRecordedDay === null || firstRecordedDay > to)
    return { days: [], weeks: [], recomputedAt, firstRecordedDay };
  const first = from > firstRecordedDay ? from : firstRecordedDay;
  const weeks = await readWeeks(trx, { monday: mondayOf(first), until: to });
  return {
    days: await pointsOf(trx, { from: first, to, today }),
    weeks: weeks.map((week) => ({ ...week, net: week.resolved - week.found })),
    recomputedAt,
    firstRecordedDay,
  };
}
