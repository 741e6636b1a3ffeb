import type { Call, vulnerabilities } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { contains, fromFile, limits, sorting } from '../lib/page.ts';
import { listColumns, presentVulnerability } from './present.ts';

const columns = {
  name: 'name',
  severity: 'severity',
  status: 'status',
  cveId: 'cve_id',
  cvssScore: 'cvss_score',
  cwssScore: 'cwss_score',
  sourceFile: 'source_file',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

type Query = Call<typeof vulnerabilities.list>['query'];

/** `fileId` keeps what that file asserts; `onlyFromReports` hides rows without a source file (spec 5, Lists). */
export async function listVulnerabilities(
  trx: OrganizationTransaction,
  query: Query,
  onlyFromReports: boolean,
) {
  const pattern = contains(query.search ?? '');
  const filtered = trx
    .selectFrom('vulnerability')
    .$if(onlyFromReports, (list) => list.where('source_file', '<>', ''))
    .$if(Boolean(query.search), (list) =>
      list.where(sql<boolean>`(name ilike ${pattern} or cve_id ilike ${pattern} or ${fromFile(pattern)})`),
    )
    .$if(query.fileId !== undefined, (list) =>
      list.where('id', 'in', (from) =>
        from
          .selectFrom('report_record')
          .select(sql<string>`vulnerability_id`.as('id'))
          .where('file_id', '=', query.fileId ?? '')
          .where('vulnerability_id', 'is not', null),
      ),
    );
  const { column, direction } = sorting(query, columns);
  const { limit, offset } = limits(query);
  const rows = await filtered
    .select(listColumns)
    .orderBy(column, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await filtered
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows: rows.map(presentVulnerability), total, page: query.page, pageSize: query.pageSize };
}
