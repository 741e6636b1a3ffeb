import type { NumberedRelations } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Relations, the columns "from", "to" and line, with numbers in place of ids: eight million of them take 100 MB. The
 * table `node` has the number of each asset.
 */
export async function numberedRelations(
  trx: OrganizationTransaction,
  relations: RawBuilder<unknown>,
): Promise<NumberedRelations> {
  await sql`drop table if exists future, node`.execute(trx);
  await sql`create temporary table future on commit drop as ${relations}`.execute(trx);
  await sql`
    create temporary table node on commit drop as
    select id, (row_number() over (order by id) - 1)::int as n
    from (select "from" as id from future union select "to" from future) ends`.execute(trx);
  await sql`analyze future, node`.execute(trx);
  const { rows } = await sql<{ nodes: number; edges: number }>`
    select (select count(*)::int from node) as nodes, (select count(*)::int from future) as edges`.execute(
    trx,
  );
  const { nodes, edges } = rows[0] ?? { nodes: 0, edges: 0 };
  const list: NumberedRelations = {
    nodes,
    from: new Int32Array(edges),
    to: new Int32Array(edges),
    line: new Int32Array(edges),
  };
  let at = 0;
  const numbered = sql<{ a: number; b: number; line: number }>`
    select a.n as a, b.n as b, line from future join node a on a.id = "from" join node b on b.id = "to"`;
  for await (const batch of batchesOf(trx, numbered)) {
    for (const { a, b, line } of batch) {
      list.from[at] = a;
      list.to[at] = b;
      list.line[at] = line;
      at += 1;
    }
  }
  return list;
}
