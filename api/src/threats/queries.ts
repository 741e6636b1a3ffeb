import type { Call, threats } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { contains, fromFile, limits, sorting } from '../lib/page.ts';
import { listColumns, presentThreat } from './present.ts';

const columns = {
  name: 'name',
  threatID: 'threat_id',
  kind: 'kind',
  riskLevel: 'risk_level',
  sourceFile: 'source_file',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

/** `fileId` keeps what that file asserts. */
export async function listThreats(trx: OrganizationTransaction, query: Call<typeof threats.list>['query']) {
  const pattern = contains(query.search ?? '');
  const filtered = trx
    .selectFrom('threat')
    .$if(Boolean(query.search), (list) =>
      list.where(sql<boolean>`(name ilike ${pattern} or threat_id ilike ${pattern} or ${fromFile(pattern)})`),
    )
    .$if(query.fileId !== undefined, (list) =>
      list.where('id', 'in', (from) =>
        from
          .selectFrom('report_record')
          .select(sql<string>`threat_id`.as('id'))
          .where('file_id', '=', query.fileId ?? '')
          .where('threat_id', 'is not', null),
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
  return { threats: rows.map(presentThreat), total, page: query.page, pageSize: query.pageSize };
}
