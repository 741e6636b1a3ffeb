import type { ImportReport } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

type TypeRow = ImportReport['byType'][number];

/** What became of each type of object: the file's histogram, less what is listed as not taken. */
export async function countByType(
  trx: OrganizationTransaction,
  fileId: string,
  histogram: Record<string, number>,
): Promise<TypeRow[]> {
  const { rows } = await sql<{
    type: string;
    unmapped: number;
    failed: number;
    superseded: number;
    reason: string | null;
  }>`
    select type,
      count(*) filter (where outcome = 'unmapped')::int as unmapped,
      count(*) filter (where outcome = 'failed')::int as failed,
      count(*) filter (where outcome = 'superseded')::int as superseded,
      mode() within group (order by reason) filter (where outcome = 'unmapped') as reason
    from report_object where organization_id = current_organization() and file_id = ${fileId} group by type`.execute(
    trx,
  );
  const left = new Map(rows.map((row) => [row.type, row]));
  const types = new Set([...Object.keys(histogram), ...left.keys()]);
  return [...types]
    .map((type) => typeRow(type, histogram[type] ?? 0, left.get(type)))
    .toSorted((a, b) => b.total - a.total);
}

function typeRow(
  type: string,
  counted: number,
  left: Omit<TypeRow, 'type' | 'total' | 'mapped'> | undefined,
): TypeRow {
  const unmapped = left?.unmapped ?? 0;
  const failed = left?.failed ?? 0;
  const superseded = left?.superseded ?? 0;
  const total = Math.max(counted, unmapped + failed + superseded);
  return {
    type,
    total,
    mapped: total - unmapped - failed - superseded,
    unmapped,
    failed,
    superseded,
    reason: left?.reason ?? null,
  };
}
