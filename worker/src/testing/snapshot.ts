import { objectsWithoutRecord } from '@riskboard/db';
import { sql } from 'kysely';
import type { TestHarness } from './test-harness.ts';

const tables = [
  'report_file',
  'report_record',
  'report_object',
  'report_object_group',
  'report_relation',
  'vulnerability',
  'threat',
  'activity',
  'job',
] as const;

/** Every row that a job can write, each with the id of the transaction that wrote it last. */
export const snapshot = (harness: TestHarness): Promise<Record<string, unknown[]>> =>
  harness.inside(async (trx) => {
    const all: Record<string, unknown[]> = {};
    for (const table of tables) {
      const { rows } = await sql<{ row: unknown }>`
        select to_jsonb(t) || jsonb_build_object('xmin', t.xmin::text) as row from ${sql.table(table)} t order by to_jsonb(t)::text`.execute(
        trx,
      );
      all[table] = rows.map(({ row }) => row);
    }
    return all;
  });

/** The number of rows of each table; of `report_object`, with the objects in groups. */
export async function rowCounts(harness: TestHarness): Promise<Record<(typeof tables)[number], number>> {
  const all = await snapshot(harness);
  const counts = Object.fromEntries(tables.map((table) => [table, all[table]?.length ?? 0])) as Record<
    (typeof tables)[number],
    number
  >;
  const groups = all['report_object_group'] as { ordinals: number[] }[];
  counts.report_object += groups.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  return counts;
}

/** Records that no file asserts, and rows of reports without a file. */
export const orphans = async (harness: TestHarness): Promise<unknown[]> => {
  const { rows } = await harness.inside((trx) =>
    sql`
      select 'vulnerability' as noun, id from vulnerability v
      where not exists (select from report_record r where r.vulnerability_id = v.id)
      union all
      select 'threat', id from threat t where not exists (select from report_record r where r.threat_id = t.id)
      union all
      select 'record of a report', id from report_record r
      where not exists (select from report_file f where f.id = r.file_id)
      union all
      select 'object of a report', file_id from ${sql.raw(objectsWithoutRecord)} o
      where not exists (select from report_file f where f.id = o.file_id)
      union all
      select 'relation of a report', file_id from report_relation l
      where not exists (select from report_file f where f.id = l.file_id)
      union all
      select 'content', id from file_content c where not exists (select from report_file f where f.content_id = c.id)
      union all
      select 'job', id from job j where state in ('queued', 'running') and kind <> 'metrics.recompute'
        and not exists (select from report_file f where f.id = j.file_id)`.execute(trx),
  );
  return rows;
};
