import { importEntity } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type ImportRun, writeColumns } from './write-columns.ts';

/**
 * Exports of scanners have one row for each host of a finding. Rows of vulnerabilities with one key and the same values are
 * one record, which gets the related assets of all of them. Rows of assets are not joined: assets have relations to each other.
 */
const joinsRows = ({ noun }: ImportRun): boolean => noun === 'vulnerabilities';

const keyLabel = ({ noun, key }: ImportRun): string => importEntity(noun).fields[key]?.label ?? key;

/** Label of the first column in which the staged rows `s` and `first` differ; null when none does. */
function differingColumn(run: ImportRun): RawBuilder<string | null> {
  const fields = Object.values(importEntity(run.noun).fields);
  const labels = writeColumns(run).map(({ name }) => {
    const label = fields.find(({ column }) => column === name)?.label ?? name;
    return sql`when ${sql.ref(`s.${name}`)} is distinct from ${sql.ref(`first.${name}`)} then ${label}::text`;
  });
  return sql<string | null>`case ${sql.join(labels, sql` `)} end`;
}

/** Why a row `s` fails that has the key of the earlier row `first`: null when both can be one record. */
function refusalOf(run: ImportRun, scope: string): RawBuilder<string | null> {
  const same = sql`'Line ' || first._line || ${` has the same ${keyLabel(run)}${scope}`}`;
  if (!joinsRows(run)) return sql<string | null>`${same} || '.'`;
  return sql<string | null>`case when s._problem is distinct from first._problem then ${same} || '.'
    else ${same} || ' and another ' || ${differingColumn(run)} || '.' end`;
}

/**
 * Finds the rows with the key of an earlier row, which are few, in the table `repeated`: their line, the first line of the key, and why
 * the row fails, if it does.
 * @param scope names where the key is unique
 */
export async function findRepeated(
  trx: OrganizationTransaction,
  run: ImportRun,
  scope: string,
): Promise<void> {
  await sql`
    create temporary table repeated on commit drop as
    select keyed.line, keyed.first_line, ${refusalOf(run, scope)} as problem
    from keyed join staged s on s._line = keyed.line join staged first on first._line = keyed.first_line
    where keyed.first_line < keyed.line`.execute(trx);
  await sql`create unique index on repeated (line)`.execute(trx);
  await sql`analyze repeated`.execute(trx);
}

/** Lines of rows whose key other rows have too. */
export const linesOfRepeatedKeys = sql`select unnest(array[line, first_line]) from repeated`;

/**
 * Joins each planned row to the first one of its key that does not fail. It then writes nothing itself, and its report names that
 * line. `related`: the tables `relating` and `resolved` exist, whose names go to the row that writes.
 */
export async function joinRows(
  trx: OrganizationTransaction,
  run: ImportRun,
  { related }: { related: boolean },
): Promise<void> {
  if (!joinsRows(run)) return;
  await sql`
    create temporary table joined on commit drop as
    select * from (
      select p.line, first_value(p.line) over same_key as into_line, first_value(p.id) over same_key as id
      from planned p left join repeated on repeated.line = p.line
      where p.action <> 'failed' and p.line in (${linesOfRepeatedKeys})
      window same_key as (partition by coalesce(repeated.first_line, p.line) order by p.line)
    ) p where line <> into_line`.execute(trx);
  await sql`create unique index on joined (line)`.execute(trx);
  await sql`analyze joined`.execute(trx);
  const added = related ? ' Its assets are added there.' : '';
  await sql`
    update planned p set id = joined.id, action = 'unchanged', changed = '{}',
      problem = 'Line ' || joined.into_line || ${` has the same ${keyLabel(run)} and the same values.${added}`}
    from joined where joined.line = p.line`.execute(trx);
  if (!related) return;
  await sql`
    insert into relating (line, id)
    select distinct joined.into_line, joined.id from joined join relating on relating.line = joined.line
    where joined.into_line not in (select line from relating)`.execute(trx);
  await sql`delete from relating using joined where joined.line = relating.line`.execute(trx);
  await sql`update resolved set line = joined.into_line, owner = joined.id from joined where joined.line = resolved.line`.execute(
    trx,
  );
}
