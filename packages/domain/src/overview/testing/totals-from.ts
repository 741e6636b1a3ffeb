import type { LedgerTotals } from '../counts.ts';

type TotalRow = readonly [measure: string, bucket: string, count: number, sum: number];

/** Totals of the ledger from rows of measure, bucket, count and sum; rows of the same bucket are added up. */
export function totalsFrom(rows: readonly TotalRow[]): LedgerTotals {
  const totals = new Map<string, Map<string, { count: number; sum: number }>>();
  for (const [measure, bucket, count, sum] of rows) {
    const buckets = totals.get(measure) ?? new Map<string, { count: number; sum: number }>();
    const before = buckets.get(bucket) ?? { count: 0, sum: 0 };
    totals.set(measure, buckets.set(bucket, { count: before.count + count, sum: before.sum + sum }));
  }
  return totals;
}
