import type { ImportReport } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { otherTypes } from '../../stix/report-writer.ts';

type TypeRow = ImportReport['byType'][number];
/** Objects that were not mapped. */
type NotMapped = Omit<TypeRow, 'total' | 'mapped'>;

/** The outcomes by type of object: the file's histogram, and the objects listed as not mapped. */
export async function countByType(
  trx: OrganizationTransaction,
  fileId: string,
  histogram: Record<string, number>,
): Promise<TypeRow[]> {
  const { rows } = await sql<NotMapped>`
    select type,
      count(*) filter (where outcome = 'unmapped')::int as unmapped,
      count(*) filter (where outcome = 'failed')::int as failed,
      count(*) filter (where outcome = 'superseded')::int as superseded,
      mode() within group (order by reason) filter (where outcome = 'unmapped') as reason
    from report_object where organization_id = current_organization() and file_id = ${fileId} group by type`.execute(
    trx,
  );
  const notMapped = Map.groupBy(rows, ({ type }) => (Object.hasOwn(histogram, type) ? type : otherTypes));
  return Object.entries(histogram)
    .map(([type, total]) => typeRow(type, total, notMapped.get(type) ?? []))
    .toSorted((a, b) => b.total - a.total);
}

function typeRow(type: string, total: number, notMapped: NotMapped[]): TypeRow {
  const sum = (outcome: 'unmapped' | 'failed' | 'superseded') =>
    notMapped.reduce((count, row) => count + row[outcome], 0);
  const unmapped = sum('unmapped');
  const failed = sum('failed');
  const superseded = sum('superseded');
  const reason = notMapped.find((row) => row.reason !== null)?.reason ?? null;
  return {
    type,
    total,
    mapped: total - unmapped - failed - superseded,
    unmapped,
    failed,
    superseded,
    reason,
  };
}
