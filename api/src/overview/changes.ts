import type { OverviewChanges } from '@riskboard/contract/schemas';
import {
  type OrganizationTransaction,
  type OverviewTotals,
  readFlows,
  readRecordedSince,
  readTotals,
} from '@riskboard/db';
import {
  exposureChange,
  openSeverities,
  overallRiskFormulas,
  type Period,
  type PresentedCause,
  presentCauses,
  riskChange,
  overviewCounts,
  riskFlows,
  type RiskWeights,
  severityFlows,
} from '@riskboard/domain';
import { sql } from 'kysely';
import { checkPeriod, todayOf } from './period.ts';

/** A change with its causes; `listed.ts` counts the rows that their links open. */
type Changes = Omit<OverviewChanges, 'causes'> & { causes: readonly PresentedCause[] };

const measuresOf = {
  risk: ['threats', 'open', 'assetsAtRisk'],
  exposure: ['openSeverity'],
} as const;

/** The weights of the formula at the end of a UTC day; undefined where no day before it is recorded. */
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

/** Vulnerabilities whose severity last changed in a period: the rows of the link. Entries count moves between bands only. */
async function countSeverityChanges(trx: OrganizationTransaction, { from, to }: Period): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from vulnerability
    where organization_id = current_organization()
      and severity_changed_at >= (${from}::date + 1)::timestamp at time zone 'UTC'
      and severity_changed_at < (${to}::date + 1)::timestamp at time zone 'UTC'`.execute(trx);
  return rows[0]?.count ?? 0;
}

interface Ends {
  before: OverviewTotals;
  after: OverviewTotals;
  flows: Awaited<ReturnType<typeof readFlows>>;
}

async function explainExposure(trx: OrganizationTransaction, { before, after, flows }: Ends, period: Period) {
  const change = exposureChange(openSeverities(before), openSeverities(after), severityFlows(flows));
  const causes = presentCauses(change.causes, period, 'exposure');
  if (!causes.some(({ code }) => code === 'vulnerabilities.severity')) return { ...change, causes };
  const count = await countSeverityChanges(trx, period);
  return {
    ...change,
    causes: causes.map((one) => (one.code === 'vulnerabilities.severity' ? { ...one, count } : one)),
  };
}

interface Dated {
  period: Period;
  today: string;
}

async function explainRisk(
  trx: OrganizationTransaction,
  { before, after, flows }: Ends,
  { period, today }: Dated,
) {
  const { from, to } = period;
  // Today's score is calculated by today's formula, even when its snapshot was written by an older version.
  const weights = (day: string) => (day === today ? undefined : weightsAt(trx, day));
  const change = riskChange(
    { counts: overviewCounts(before, from), weights: await weights(from) },
    { counts: overviewCounts(after, to), weights: await weights(to) },
    riskFlows(before, flows, period),
  );
  return { ...change, causes: presentCauses(change.causes, period, 'risk') };
}

/**
 * Why a score moved between two UTC days (contract, Explanations), each taken at its end, today as it is now. The deltas
 * add up exactly; a score that is null counts as 0. Needs one snapshot for all its statements.
 * @throws Failure 422
 */
export async function overviewChanges(
  trx: OrganizationTransaction,
  { measure, from, to }: Period & Pick<OverviewChanges, 'measure'>,
): Promise<Changes> {
  const today = await todayOf(trx);
  const period = { from, to };
  checkPeriod(period, today);
  const totalsAt = (day: string) => readTotals(trx, day === today ? {} : { endOf: day });
  const ends: Ends = {
    before: await totalsAt(from),
    after: await totalsAt(to),
    flows:
      from === to
        ? []
        : await readFlows(trx, {
            after: from,
            until: to === today ? null : to,
            measures: measuresOf[measure],
          }),
  };
  const { causes, ...change } =
    measure === 'exposure'
      ? await explainExposure(trx, ends, period)
      : await explainRisk(trx, ends, { period, today });
  return {
    measure,
    from: { date: from, score: change.from },
    to: { date: to, score: change.to },
    causes,
    firstRecordedDay: await readRecordedSince(trx),
  };
}
