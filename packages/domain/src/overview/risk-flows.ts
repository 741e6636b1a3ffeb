import type { LedgerTotals } from './counts.ts';
import { addDays, firstNewDay } from './days.ts';
import type { ExposureTotal } from './exposure-change.ts';
import type { CountFlow } from './risk-change.ts';

/** What a cause added to a bucket of a measure during a period. */
export interface LedgerFlow extends ExposureTotal {
  readonly measure: string;
  readonly bucket: string;
  readonly cause: string;
}

/** A period after the end of the UTC day `from` until the end of the UTC day `to`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Whether vulnerabilities that were created on a day count as new at the start or at the end of a period. */
const newDuring =
  ({ from, to }: Period) =>
  (created: string): boolean =>
    created >= firstNewDay(to) || (created >= firstNewDay(from) && created <= from);

/**
 * What changed the counts of the overall risk score in a period. Vulnerabilities that are no longer new because time
 * passed have no entry. They are the cause `aged`: open at the end of the period, new at its start. Those that became
 * new and ceased to be new within the period are in neither count.
 * @param before the totals at the start
 */
export function riskFlows(before: LedgerTotals, flows: readonly LedgerFlow[], period: Period): CountFlow[] {
  const isNew = newDuring(period);
  const [formerly, since] = [firstNewDay(period.from), firstNewDay(period.to)];
  const aging = new Map<string, number>();
  for (const [created, { count }] of before.get('open') ?? [])
    if (created >= formerly && created < since) aging.set(created, count);
  const changes = flows.flatMap(({ measure, bucket, cause, count: rows }): CountFlow[] => {
    if (measure === 'threats') return [{ count: 'totalThreats', cause, rows }];
    if (measure === 'assetsAtRisk') return [{ count: 'assetsAtRisk', cause, rows }];
    if (measure !== 'open') return [];
    const open: CountFlow = { count: 'openVulnerabilities', cause, rows };
    if (!isNew(bucket)) return [open];
    if (bucket < since) aging.set(bucket, (aging.get(bucket) ?? 0) + rows);
    return [open, { ...open, count: 'newVulnerabilities' }];
  });
  const aged = [...aging.values()].reduce((all, rows) => all + rows, 0);
  return aged === 0 ? changes : [...changes, { count: 'newVulnerabilities', cause: 'aged', rows: -aged }];
}

/** Days of creation of the vulnerabilities that were new at the start of a period and are too old at its end. */
export const agedDays = ({ from, to }: Period): { first: string; last: string } => {
  const last = addDays(firstNewDay(to), -1);
  return { first: firstNewDay(from), last: last < from ? last : from };
};

/** What changed the open vulnerabilities with a severity. */
export const severityFlows = (flows: readonly LedgerFlow[]): LedgerFlow[] =>
  flows.filter(({ measure, bucket }) => measure === 'openSeverity' && bucket !== 'none');
