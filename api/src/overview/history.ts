import type { OverviewHistory } from '@riskboard/contract/schemas';
import {
  type OrganizationTransaction,
  type OverviewEntry,
  type OverviewTotals,
  readEntries,
  readSnapshots,
  readTotals,
} from '@riskboard/db';
import { dayAfter, exposureOf, mondayOf, overallRisk } from '@riskboard/domain';
import { invalidField } from '../lib/http/failure.ts';
import { openSeverities, recordedSince, riskCountsAt, todayOf } from './ledger.ts';

type Day = OverviewHistory['days'][number];
type Week = OverviewHistory['weeks'][number];

function pointOf(date: string, totals: OverviewTotals): Day {
  const counts = riskCountsAt(totals, date);
  const open = openSeverities(totals);
  return {
    date,
    score: overallRisk(counts).score,
    ...counts,
    exposure: open.count > 0 ? Math.round(exposureOf(open) * 1000) / 1000 : null,
  };
}

/** What an open vulnerability becomes by a cause: found, or resolved. Other causes are neither. */
const flows: Readonly<Record<string, 'found' | 'resolved'>> = {
  found: 'found',
  restored: 'found',
  fixed: 'resolved',
  mitigated: 'resolved',
  accepted: 'resolved',
  deleted: 'resolved',
  reopened: 'resolved',
};

interface FixedWeek {
  week: string;
  fixed: number;
  p50: number;
  p95: number;
}

/** Every week from the first with an entry; those in which nothing happened too. */
function weeksOf(
  entries: readonly OverviewEntry[],
  fixed: readonly FixedWeek[],
  { from, to }: { from: string; to: string },
): Week[] {
  const counts = new Map<string, { found: number; resolved: number }>();
  for (let week = mondayOf(from); week <= to; week = dayAfter(week, 7))
    counts.set(week, { found: 0, resolved: 0 });
  for (const { day, measure, cause, count } of entries) {
    const flow = flows[cause];
    const week = counts.get(mondayOf(day));
    if (measure !== 'open' || flow === undefined || week === undefined) continue;
    week[flow] += flow === 'found' ? count : -count;
  }
  const times = new Map(fixed.map((one) => [one.week, one]));
  return [...counts].map(([week, { found, resolved }]) => {
    const own = times.get(week);
    return {
      week,
      found,
      resolved,
      net: resolved - found,
      fixed: own?.fixed ?? 0,
      p50: own?.p50 ?? null,
      p95: own?.p95 ?? null,
    };
  });
}

/**
 * The recorded numbers of each day, today as it is now, and remediation by week. A day without a snapshot has no point.
 * @throws Failure 422
 */
export async function overviewHistory(
  trx: OrganizationTransaction,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<OverviewHistory> {
  const today = await todayOf(trx);
  const to = query.to ?? today;
  if (to > today) throw invalidField('to', 'Must not be in the future (UTC).');
  if (query.from !== undefined && query.from > to)
    throw invalidField('from', 'Must not be after the later day.');
  const since = await recordedSince(trx);
  if (since === null || since > to) return { days: [], weeks: [], recordedSince: since };
  const from = query.from !== undefined && query.from > since ? query.from : since;
  const recorded = (await readSnapshots(trx, { from, until: to })).filter(({ day }) => day !== today);
  const days = recorded.map(({ day, totals }) => pointOf(day, totals));
  if (to === today) days.push(pointOf(today, await readTotals(trx)));
  const entries = await readEntries(trx, { after: dayAfter(mondayOf(from), -1), until: to });
  const fixed = await trx
    .selectFrom('overview_week')
    .select(['week', 'fixed', 'p50', 'p95'])
    .where('week', '>=', mondayOf(from))
    .where('week', '<=', to)
    .orderBy('week')
    .execute();
  return { days, weeks: weeksOf(entries, fixed, { from, to }), recordedSince: since };
}
