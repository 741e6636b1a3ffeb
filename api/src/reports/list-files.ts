import type { Call, reports } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { contains, limits, many, sorting } from '../lib/page.ts';
import { presentFile, selectFiles } from './present.ts';

const columns = {
  originalFilename: sql.ref('report_file.name_key'),
  stixVersion: sql.ref('report_file.stix_version'),
  uploadDate: sql.ref('report_file.uploaded_at'),
  size: sql.ref('report_file.size'),
  vulnerabilityCount: sql.ref('report_file.vulnerability_count'),
  threatCount: sql.ref('report_file.threat_count'),
} as const;

/** A size as the list shows it (spec 9: Bytes, KB, MB, GB at factor 1024, two decimals), for searching. */
const shownSize = sql<string>`case
  when size < 1024 then size || ' Bytes'
  when size < 1048576 then trim_scale(round(size / 1024.0, 2)) || ' KB'
  when size < 1073741824 then trim_scale(round(size / 1048576.0, 2)) || ' MB'
  else trim_scale(round(size / 1073741824.0, 2)) || ' GB' end`;

/** Search runs over file name, size and counts, not the date (spec 5, Lists). */
const matches = (pattern: string) => sql<boolean>`(
  report_file.name ilike ${pattern} or ${shownSize} ilike ${pattern}
  or vulnerability_count::text like ${pattern} or threat_count::text like ${pattern})`;

export async function listFiles(trx: OrganizationTransaction, query: Call<typeof reports.files>['query']) {
  const names = many(query.name);
  const search = query.search ?? '';
  const filtered = selectFiles(trx)
    .$if(search !== '', (list) => list.where(matches(contains(search))))
    .$if(names.length > 0, (list) =>
      list.where(sql<boolean>`name_key in (select lower(n) from unnest(${names}::text[]) n)`),
    );
  const { column, direction } = sorting(query, columns);
  const { limit, offset } = limits(query);
  const rows = await filtered
    .orderBy(column, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('report_file.id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await filtered
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { files: rows.map(presentFile), total, page: query.page, pageSize: query.pageSize };
}
